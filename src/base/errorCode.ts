// The code by which the system names a failure, such as ENOENT.

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Whether there was nothing at the path. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

/** Whether the system refused something, and not our own code. */
export function isOfSystem(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    // So begins what Node says of a wrong call.
    !error.code.startsWith('ERR_')
  );
}
