import { z } from "zod";
import { hasNoUser } from "#foundation/text/has-no-user.js";
import { tokenOr } from "../driver/connector-settings.js";
import { organisation } from "../driver/course-keys.js";
import { secret } from "../driver/secret.js";

/** Settings of a OneRoster connector. Its `base_url` is the part of the URL before `/ims/oneroster`. */
export const oneRosterSettings = z
  .object({
    version: z.enum(["1.1", "1.2"]).default("1.2"),
    /** A permanent token from the provider. */
    token: secret.optional(),
    /** An alternative to a token: a client, and the URL of its token endpoint, which may be on another host. */
    token_url: z
      .string()
      .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must be a URL")
      .refine(hasNoUser, "must have no user: client_id names the client")
      .optional(),
    client_id: z.string().min(1).optional(),
    client_secret: secret.optional(),
    /** Whether to name scopes when requesting tokens. Some providers reject scopes. */
    scopes: z.boolean().default(true),
    organisation,
    /** The OneRoster field that contains the username, both in this service and in learners' tokens. */
    usernames: z.enum(["username", "email", "identifier", "sourcedId"]).default("username"),
    /** Title of the line item with each class's final grade. Without it, there are no totals. */
    final_line_item: z.string().trim().min(1).optional(),
    /** Letter grades, best first. They are a setting because providers have no standard way to list them. */
    letter_grades: z.array(z.string().trim().min(1).max(64)).max(100).default([]),
    /** Whether requirements can use categories in addition to the total, once a class has ended. */
    categories: z.boolean().default(false),
  })
  .refine(...tokenOr("token_url", "client_id", "client_secret"));

export type OneRosterSettings = z.output<typeof oneRosterSettings>;
