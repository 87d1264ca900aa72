/** What could end a line or a header. */
const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** What turns the direction of the text around it, and what Unicode says is no character. */
const unprintable = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/** Returns a name or title as a single line that can't affect the text around it. */
export function plainLine(text: string): string {
  return text.toWellFormed().replace(unprintable, "").replace(lineBreaks, " ").trim();
}

/** A character that is seen. A Braille pattern without dots is not, though Unicode has it so. */
const visible = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800]/u;

/** Whether a text shows nothing: it is empty, or has only spaces and invisible characters. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
