import { wrongField } from "#foundation/errors.js";
import { MAX_EMAIL } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { isPlainAddress } from "#infrastructure/email/mailbox.js";

/**
 * @returns a learner's email address; empty if the text is empty
 * @throws Problem `invalid` if it is not an email address
 */
export function parseEmail(field: string, text: string): string {
  if (text === "") return text;
  checkText(field, text, { min: 0, max: MAX_EMAIL });
  if (!isPlainAddress(text)) {
    throw wrongField(
      field,
      "is not an email address such as ana@example.org; leave it empty if there is none.",
    );
  }
  return text;
}
