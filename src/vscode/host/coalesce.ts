// Many calls, few runs: never more than one run at a time and one waiting, which sees everything called before it.

/**
 * A function that starts `run`, or asks for one more run when one is under way.
 * `run` must not reject: it handles its own failures.
 */
export function coalesce(run: () => Promise<void>): () => void {
  let running = false;
  let wanted = false;
  const start = async (): Promise<void> => {
    running = true;
    try {
      while (wanted) {
        wanted = false;
        await run();
      }
    } finally {
      running = false;
    }
  };
  return () => {
    wanted = true;
    if (!running) void start();
  };
}
