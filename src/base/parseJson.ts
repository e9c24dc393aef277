// JSON in files that a person, a crash or another program may have spoilt.

/** The value, or undefined where the text is not JSON, which to a reader who checks the shape is one more wrong shape. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The only failure there is, and what it means is for the caller to say.
    return undefined;
  }
}
