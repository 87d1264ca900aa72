/** Measures work: calls `end` with whether it succeeded and how many seconds it took. */
export async function timed<T>(
  work: () => Promise<T>,
  end: (isDone: boolean, seconds: number) => void,
): Promise<T> {
  const started = performance.now();
  let isDone = false;
  try {
    const result = await work();
    isDone = true;
    return result;
  } finally {
    end(isDone, (performance.now() - started) / 1000);
  }
}
