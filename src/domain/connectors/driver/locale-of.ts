import { canonicalTag } from "#foundation/text/language-tag.js";

/** Maximum length of a language tag. No platform uses longer tags. */
const MAX_LENGTH = 35;

/** Converts a platform's language, for example `pt_br`, to a BCP 47 tag. Empty if it is not a valid language. */
export function localeOf(text: string | null | undefined): string {
  const tag = text?.trim().replaceAll("_", "-") ?? "";
  return tag.length > MAX_LENGTH ? "" : (canonicalTag(tag) ?? "");
}
