// Line ends: a model writes LF, and a file keeps what it has.

export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The text with what most lines of `file` end in. */
export function withEndsOf(file: string, text: string): string {
  return withLf(text).replaceAll('\n', usesCrlf(file) ? '\r\n' : '\n');
}

function usesCrlf(text: string): boolean {
  const crlf = text.split('\r\n').length - 1;
  return crlf > (text.split('\n').length - 1) / 2;
}
