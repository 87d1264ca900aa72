import { canonicalTag } from "#foundation/text/language-tag.js";

/** Language tags are longer in no platform; a record holds up to 255. */
const MAX_LENGTH = 35;

/** Returns the language that a platform names, as in `pt_br`, as a BCP 47 tag; empty if it names none that is one. */
export function localeOf(text: string | null | undefined): string {
  const tag = text?.trim().replaceAll("_", "-") ?? "";
  return tag.length > MAX_LENGTH ? "" : (canonicalTag(tag) ?? "");
}
