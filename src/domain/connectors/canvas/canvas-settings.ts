import { z } from "zod";
import { tokenOr } from "../driver/connector-settings.js";
import { organisation } from "../driver/course-keys.js";
import { secret } from "../driver/secret.js";

/** Settings of a Canvas connector, in addition to the settings of every connector. */
export const canvasSettings = z
  .object({
    token: secret.optional(),
    /** An alternative to a token: an API key from *Developer Keys*, and a refresh token of the service user. */
    client_id: z.string().min(1).optional(),
    client_secret: secret.optional(),
    refresh_token: secret.optional(),
    /**
     * The account whose courses are read, including its sub-accounts: an id, `self` for the root, or
     * `sis_account_id:…`.
     */
    account: z
      .string()
      .regex(/^(self|\d+(~\d+)?|sis_account_id:[^/?#]+)$/, "must be `self`, an id, or `sis_account_id:…`")
      .default("self"),
    organisation,
    /** The Canvas field that contains the username, both in this service and in learners' tokens. */
    usernames: z.enum(["login_id", "sis_user_id", "id"]).default("login_id"),
    /** Whether to read the requirements of modules. */
    completion: z.boolean().default(false),
    /** Whether requirements can use assignment groups. If so, every submission is read. */
    parts: z.boolean().default(false),
  })
  .refine(...tokenOr("client_id", "client_secret", "refresh_token"));

export type CanvasSettings = z.output<typeof canvasSettings>;
