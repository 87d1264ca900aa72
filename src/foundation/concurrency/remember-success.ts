/** Shares one running check between all callers, and reuses a successful result for a while. */
export function rememberSuccess<Args extends readonly unknown[]>(
  check: (...args: Args) => Promise<void>,
  rememberedMs: number,
): (...args: Args) => Promise<void> {
  let latest: { result: Promise<void>; until: number } | undefined;
  return (...args) => {
    if (latest && performance.now() < latest.until) return latest.result;
    const attempt = { result: check(...args), until: Number.POSITIVE_INFINITY };
    latest = attempt;
    attempt.result.then(
      () => {
        attempt.until = performance.now() + rememberedMs;
      },
      () => {
        attempt.until = 0;
      },
    );
    return attempt.result;
  };
}
