import { type LanguageTag, languages } from "../../languages/list.js";

export function isLanguageTag(text: string): text is LanguageTag {
  return Object.hasOwn(languages, text);
}

/** @param preferred BCP 47 tags, the best first @returns the first that the console speaks, else English */
export function nearestLanguage(preferred: readonly string[]): LanguageTag {
  const primary = preferred.map((tag) => tag.split("-", 1)[0]?.toLowerCase() ?? "");
  return primary.find(isLanguageTag) ?? "en";
}
