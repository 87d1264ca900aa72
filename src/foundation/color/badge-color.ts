/** Colour of badges whose design has no accent colour. */
const DEFAULT_COLOR = "1f5468";

/** Returns the colour in which a badge is drawn, as six lower-case hexadecimal digits. */
export function badgeColor(accent?: unknown): string {
  const digits = typeof accent === "string" ? /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(accent)?.[1] : undefined;
  const color = digits?.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  return color?.toLowerCase() ?? DEFAULT_COLOR;
}
