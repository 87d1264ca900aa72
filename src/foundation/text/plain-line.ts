/** Characters that could end a line or a header. */
const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** Direction controls, and code points that Unicode calls noncharacters. */
const unprintable = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/** Returns a name or title as a single line that can't affect the text around it. */
export function plainLine(text: string): string {
  return text.toWellFormed().replace(unprintable, "").replace(lineBreaks, " ").trim();
}

/** A visible character. Unicode counts the blank Braille pattern as visible; here it is not. */
const visible = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800]/u;

/** Whether a text shows nothing: it has only spaces and invisible characters, or none. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
