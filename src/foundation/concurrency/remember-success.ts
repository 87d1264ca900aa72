/** Shares one check among all who ask meanwhile, and remembers a success for a while. */
export function rememberSuccess<Given extends readonly unknown[]>(
  check: (...given: Given) => Promise<void>,
  rememberedMs: number,
): (...given: Given) => Promise<void> {
  let latest: { result: Promise<void>; until: number } | undefined;
  return (...given) => {
    if (latest && performance.now() < latest.until) return latest.result;
    const look = { result: check(...given), until: Number.POSITIVE_INFINITY };
    latest = look;
    look.result.then(
      () => {
        look.until = performance.now() + rememberedMs;
      },
      () => {
        look.until = 0;
      },
    );
    return look.result;
  };
}
