"""Times the compaction of the reference (learn-claude-code, chapter s08) from a checkout of it, for the histories that stand in the input.

Usage: reference.py <checkout> <empty folder> < request, prints the medians in milliseconds as JSON. The request is
an object: from the name of a measurement (estimate, micro, prepare) to a list of histories and the number of runs.
"""

import copy
import importlib.util
import json
import os
import statistics
import sys
import time
import types
from pathlib import Path

# As the reference calls stage 3: down to 80 % of its limit.
TARGET_CHARS = 40_000


def load(checkout: Path) -> types.ModuleType:
    """Loads the chapter without the packages that it needs for talking to a model, which is never done here."""
    for name, attributes in {
        "anthropic": {"Anthropic": lambda **_: None},
        "dotenv": {"load_dotenv": lambda **_: None},
    }.items():
        stub = types.ModuleType(name)
        stub.__dict__.update(attributes)
        sys.modules[name] = stub
    os.environ["MODEL_ID"] = "none"
    spec = importlib.util.spec_from_file_location(
        "reference", checkout / "s08_context_compact" / "code.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    checkout, folder = (Path(argument) for argument in sys.argv[1:])
    request = json.load(sys.stdin)
    # It makes its paths from the working folder.
    os.chdir(folder)
    module = load(checkout)
    count = 0

    def milliseconds(what: str, history: list) -> float:
        nonlocal count
        count += 1
        place = folder / f"run{count}"
        compactor = module.ContextCompactor(None, "none", place / "transcripts", place / "results")
        messages = copy.deepcopy(history)
        work = {
            "estimate": lambda: compactor.estimate_chars(messages),
            "micro": lambda: compactor.micro_compact(messages, TARGET_CHARS),
            "prepare": lambda: compactor.prepare(messages, "Mend every test of the project."),
        }[what]
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) * 1000

    print(json.dumps({
        what: [
            statistics.median(milliseconds(what, history) for _ in range(measurement["runs"]))
            for history in measurement["histories"]
        ]
        for what, measurement in request.items()
    }))


if __name__ == "__main__":
    main()
