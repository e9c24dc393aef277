"""Converts temperatures between Celsius and Fahrenheit."""


def to_fahrenheit(celsius: float) -> float:
    return celsius * 9 / 5 + 32


def to_celsius(fahrenheit: float) -> float:
    return (fahrenheit - 32) * 5 / 9


if __name__ == "__main__":
    for degrees in (-40, 0, 37, 100):
        print(f"{degrees} °C is {to_fahrenheit(degrees):.1f} °F")
