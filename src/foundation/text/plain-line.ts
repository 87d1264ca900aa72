/** Matches characters that could end a line or a header. */
const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** Matches direction controls and Unicode noncharacters. */
const unprintable = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/** Returns a name or title as a single line that can't affect the surrounding text. */
export function plainLine(text: string): string {
  return text.toWellFormed().replace(unprintable, "").replace(lineBreaks, " ").trim();
}

/** Matches visible characters. Unlike in Unicode, the blank Braille pattern is regarded as invisible. */
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{White_Space}\p{Cc}\u2800]/u;

/** Returns whether a text is empty or consists only of spaces and invisible characters. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
