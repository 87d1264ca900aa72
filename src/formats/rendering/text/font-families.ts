/** The built-in families' font chains. */
export const fontFamilies = {
  "EB Garamond": "regular",
  "EB Garamond Medium": "medium",
  "EB Garamond SemiBold": "semibold",
  "EB Garamond Italic": "italic",
  "Playfair Display": "display",
  "Playfair Display SemiBold": "displaySemibold",
  "Playfair Display Italic": "displayItalic",
  "Source Sans": "sans",
  "Source Sans Light": "sansLight",
  "Source Sans SemiBold": "sansSemibold",
  "Source Sans Italic": "sansItalic",
} as const;

type FontFamily = keyof typeof fontFamilies;

export function isFontFamily(name: string): name is FontFamily {
  return Object.hasOwn(fontFamilies, name);
}
