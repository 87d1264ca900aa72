/** Says how the work ended, and after how many seconds. */
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
