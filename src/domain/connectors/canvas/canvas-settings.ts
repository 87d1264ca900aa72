import { z } from "zod";
import { tokenOr } from "../driver/connector-settings.js";
import { organisation } from "../driver/course-keys.js";
import { secret } from "../driver/secret.js";

/** Settings of a Canvas connector, in addition to those of every connector. */
export const canvasSettings = z
  .object({
    /** An access token of a service user, created by hand. */
    token: secret.optional(),
    /** Instead of a token: an API key from *Developer Keys*, and a refresh token granted by its service user. */
    client_id: z.string().min(1).optional(),
    client_secret: secret.optional(),
    refresh_token: secret.optional(),
    /**
     * The account whose courses are read, including those of sub-accounts: an id, `self` for the root, or
     * `sis_account_id:…`.
     */
    account: z
      .string()
      .regex(/^(self|\d+(~\d+)?|sis_account_id:[^/?#]+)$/, "must be `self`, an id, or `sis_account_id:…`")
      .default("self"),
    organisation,
    /** The field used as the learner's username here, and in their tokens. */
    usernames: z.enum(["login_id", "sis_user_id", "id"]).default("login_id"),
    /** Whether to read the requirements of modules. */
    completion: z.boolean().default(false),
    /** Whether assignment groups can be required in addition to the course total. Every submission is read then. */
    parts: z.boolean().default(false),
  })
  .refine(...tokenOr("client_id", "client_secret", "refresh_token"));

export type CanvasSettings = z.output<typeof canvasSettings>;
