/** Red, green and blue, each 0 to 1. */
export type Rgb = readonly [number, number, number];

/** @param hex three or six hex digits, `#` optional */
export function parseColor(hex: string): Rgb {
  const digits = hex.replace("#", "");
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const channel = (from: number) => Number.parseInt(six.slice(from, from + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}

/** The colour at `share` (0 to 1) of the way from `from` to `to`. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [channel(0), channel(1), channel(2)];
}
