import { z } from "zod";
import { mix, parseColor, type Rgb } from "../pdf/color.js";

export const hexColor = z
  .string()
  .regex(
    /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
    "must be a colour of three or six hex digits, such as #8a6d2f",
  );

/** Hex digits, or the name of a colour that other options define. */
export const color = z
  .string()
  .regex(
    /^(?:#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})|(?:accent|ink|paper)(?:\/[0-9]{1,2})?)$/,
    "must be a colour of three or six hex digits, such as #8a6d2f, or accent, ink or paper, or a tint in percent, such as accent/40",
  );

export type Palette = (color: string) => Rgb;

interface PaletteOptions {
  readonly accent_color: string;
  readonly paper?: string | undefined;
  readonly defaults: { readonly color?: string | undefined };
}

const named = /^(accent|ink|paper)(?:\/([0-9]{1,2}))?$/;

/**
 * Returns the palette of a design. The named colours are `accent`, `ink` (the colour of texts) and `paper`. `accent/40`
 * is a tint: 40 % of the accent colour on the paper.
 */
export function paletteOf({ accent_color, paper = "#fff", defaults }: PaletteOptions): Palette {
  const plain = (color: string, otherwise: string) => parseColor(named.test(color) ? otherwise : color);
  const ground = plain(paper, "#fff");
  const colors = {
    accent: parseColor(accent_color),
    ink: plain(defaults.color ?? "#000", "#000"),
    paper: ground,
  };
  return (color) => {
    const [, name, tint] = named.exec(color) ?? [];
    if (name === undefined) return parseColor(color);
    const full = colors[name as keyof typeof colors];
    return tint === undefined ? full : mix(ground, full, Number(tint) / 100);
  };
}
