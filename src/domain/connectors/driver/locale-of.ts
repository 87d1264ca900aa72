import { canonicalTag } from "#foundation/text/language-tag.js";

/** No platform has longer language tags; a record can hold up to 255 characters. */
const MAX_LENGTH = 35;

/**
 * Converts a platform's language, for example `pt_br`, to a BCP 47 tag. Returns an empty string if it is not a valid
 * language.
 */
export function localeOf(text: string | null | undefined): string {
  const tag = text?.trim().replaceAll("_", "-") ?? "";
  return tag.length > MAX_LENGTH ? "" : (canonicalTag(tag) ?? "");
}
