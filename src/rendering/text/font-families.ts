/** The built-in families, as options call them, with the style of the built-in design that each is. */
export const fontFamilies = {
  "EB Garamond": "regular",
  "EB Garamond Medium": "medium",
  "EB Garamond Italic": "italic",
} as const;

export type FontFamily = keyof typeof fontFamilies;

export function isFontFamily(name: string): name is FontFamily {
  return Object.hasOwn(fontFamilies, name);
}
