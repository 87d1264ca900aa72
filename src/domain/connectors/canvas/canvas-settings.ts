import { z } from "zod";
import { tokenFileOr } from "../driver/connector-settings.js";
import { organisation } from "../driver/course-keys.js";

const file = z.string().min(1);

/** Settings of a Canvas connector, besides those of every connector. */
export const canvasSettings = z
  .object({
    /** An access token of a service user, made by hand. */
    token_file: file.optional(),
    /** In its place, an API key of *Developer Keys*, and a refresh token that its service user has granted. */
    client_id: z.string().min(1).optional(),
    client_secret_file: file.optional(),
    refresh_token_file: file.optional(),
    /** Whose courses are read, those of its sub-accounts too: an id, `self` for the root, or `sis_account_id:…`. */
    account: z
      .string()
      .regex(/^(self|\d+(~\d+)?|sis_account_id:[^/?#]+)$/, "must be `self`, an id, or `sis_account_id:…`")
      .default("self"),
    organisation,
    /** What names learners here, and in their tokens. */
    usernames: z.enum(["login_id", "sis_user_id", "id"]).default("login_id"),
    /** Whether the requirements of modules are read. */
    completion: z.boolean().default(false),
    /** Whether assignment groups can be required besides the course's total: every submission is read. */
    parts: z.boolean().default(false),
  })
  .refine(...tokenFileOr("client_id", "client_secret_file", "refresh_token_file"));

export type CanvasSettings = z.output<typeof canvasSettings>;
