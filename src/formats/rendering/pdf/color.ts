/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [number, number, number];

/** @param hex three or six hex digits, with or without `#` */
export function parseColor(hex: string): Rgb {
  const digits = hex.replace("#", "");
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const channel = (from: number) => Number.parseInt(six.slice(from, from + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}

/** Returns the contrast ratio by WCAG 2.2: 21 for black on white. Returns 1 if `dark` is lighter than `light`. */
export function contrast(dark: Rgb, light: Rgb): number {
  return Math.max(1, (luminance(light) + 0.05) / (luminance(dark) + 0.05));
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the colour at `share` (0 to 1) of the way from `from` to `to`. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [channel(0), channel(1), channel(2)];
}

/** Formats a colour as `#rrggbb`. */
export function colorToHex(color: Rgb): string {
  const digits = (channel: number) =>
    Math.round(channel * 255)
      .toString(16)
      .padStart(2, "0");
  return `#${color.map(digits).join("")}`;
}
