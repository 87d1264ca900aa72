import { z } from "zod";
import { hasNoUser } from "#foundation/text/has-no-user.js";
import { tokenFileOr } from "../driver/connector-settings.js";
import { organisation } from "../driver/course-keys.js";

/** Settings of a OneRoster connector, besides those of every connector. `base_url` is what stands before `/ims/oneroster`. */
export const oneRosterSettings = z
  .object({
    version: z.enum(["1.1", "1.2"]).default("1.2"),
    /** A token that the provider has given once and for all. */
    token_file: z.string().min(1).optional(),
    /** In its place, a client, and where tokens are given; some providers have another host for that. */
    token_url: z
      .string()
      .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must be a URL")
      .refine(hasNoUser, "must have no user: client_id names the client")
      .optional(),
    client_id: z.string().min(1).optional(),
    client_secret_file: z.string().min(1).optional(),
    /** Whether tokens are requested with scopes: a few providers refuse them. */
    scopes: z.boolean().default(true),
    organisation,
    /** What names learners here, and in their tokens. */
    usernames: z.enum(["username", "email", "identifier", "sourcedId"]).default("username"),
    /** Title of the line item that has the final grade of each class; without one, there are no totals. */
    final_line_item: z.string().trim().min(1).optional(),
    /** The letter grades of the final grade, best first: providers list them in no common form. */
    letter_grades: z.array(z.string().trim().min(1).max(64)).max(100).default([]),
    /** Whether categories can be required besides the total, once a class has ended. */
    categories: z.boolean().default(false),
  })
  .refine(...tokenFileOr("token_url", "client_id", "client_secret_file"));

export type OneRosterSettings = z.output<typeof oneRosterSettings>;
