import { z } from "zod";
import { isBlank } from "#foundation/text/plain-line.js";

const MAX_LENGTH = 2000;

/** The option of every type and configuration with the institution's own words for its holders. */
export const emailOptions = z.object({
  mail_text: z
    .string()
    .max(MAX_LENGTH)
    .refine((text) => !isBlank(text), "must not be blank")
    .describe(
      `Words of yours in the mail that a credential is available: plain text of at most ${MAX_LENGTH} characters, each line a paragraph`,
    )
    .optional(),
});
