/** An accent colour that is legible as text on the background, as `#rrggbb`. */
interface Accent {
  readonly color: string;
  /** Colour of text on the accent colour. */
  readonly ink: string;
}

/** For each mode, the background of public pages with the least contrast to links. */
export const LINK_BACKGROUNDS = { light: "#f4f3ee", dark: "#1a2226" };

type Rgb = readonly [number, number, number];

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;
const STEPS = 50;

/** Returns the colour itself, or the closest colour whose contrast with the background is at least 4.5 to 1. */
export function legibleAccent(color: string, background: string): Accent {
  const paper = rgbOf(background);
  const towards: Rgb = luminance(paper) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  let legible = rgbOf(color);
  for (let step = 1; step <= STEPS && contrast(legible, paper) < MIN_CONTRAST; step++)
    legible = mixed(rgbOf(color), towards, step / STEPS);
  const white: Rgb = [255, 255, 255];
  return { color: hex(legible), ink: contrast(legible, white) >= MIN_CONTRAST ? "#ffffff" : "#0d1a20" };
}

/** Returns a style for a public page that sets the accent colour, after the style of all pages. */
export function accentStyle(accentColor: string): string {
  const variables = ({ color, ink }: Accent) => `:root { --accent: ${color}; --accent-ink: ${ink}; }`;
  return `
${variables(legibleAccent(accentColor, LINK_BACKGROUNDS.light))}
@media (prefers-color-scheme: dark) { ${variables(legibleAccent(accentColor, LINK_BACKGROUNDS.dark))} }
`;
}

function rgbOf(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function hex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [part(0), part(1), part(2)];
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** See https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
