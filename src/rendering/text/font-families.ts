/** The built-in font families by their names in options, each with its style in the built-in design. */
export const fontFamilies = {
  "EB Garamond": "regular",
  "EB Garamond Medium": "medium",
  "EB Garamond Italic": "italic",
} as const;

export type FontFamily = keyof typeof fontFamilies;

export function isFontFamily(name: string): name is FontFamily {
  return Object.hasOwn(fontFamilies, name);
}
