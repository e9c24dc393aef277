// For input that the window drops or moves away from while it is busy with itself.

/** Acts until the effect is there. An effect waits a second or two at most; both throw when they did not work. */
export async function repeat(act: () => Promise<void>, effect: () => Promise<void>): Promise<void> {
  for (let left = 10; ; left--) {
    try {
      await act();
      await effect();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
