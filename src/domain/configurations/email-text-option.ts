import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";
import { MAX_EMAIL_TEXT } from "#foundation/limits.js";
import { isBlank } from "#foundation/text/plain-line.js";

/** The option of every type and configuration that contains the institution's own text for emails to holders. */
export const emailOptions = z.object({
  mail_text: z
    .string()
    .max(MAX_EMAIL_TEXT)
    .refine((text) => !isBlank(text), "must not be blank")
    .meta(help("mail_text", { most: MAX_EMAIL_TEXT }))
    .optional(),
});
