import { z } from "zod";
import { secret } from "../driver/secret.js";
import { eventBusSettings } from "./events/event-bus-settings.js";

export const edxSettings = z.object({
  /** Client of an OAuth2 application that is owned by a staff user (type: confidential, grant: client credentials). */
  client_id: z.string().min(1),
  client_secret: secret,
  /** Username of the staff user who owns the application. Without it, the LMS omits hidden courses from its list. */
  username: z.string().min(1),
  /** Whether a verified name takes precedence over the name in the profile. */
  names: z.enum(["verified_or_profile", "profile"]).default("verified_or_profile"),
  /** The source of completion: the plug-in completion-aggregator, or none. */
  completion: z.enum(["aggregator", "none"]).default("none"),
  /** Whether to read learners' site languages, which takes one request per account in each sweep. */
  languages: z.boolean().default(false),
  /** Whether the plug-in learning-paths is installed. */
  paths: z.boolean().default(false),
  events: eventBusSettings.optional().meta({ isFileOnly: true }),
});

export type EdxSettings = z.output<typeof edxSettings>;
