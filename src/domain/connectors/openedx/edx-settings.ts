import { z } from "zod";
import { secret } from "../driver/secret.js";
import { eventBusSettings } from "./events/event-bus-settings.js";

/** Settings of an Open edX connector, in addition to those of every connector. */
export const edxSettings = z.object({
  /** Client id of an OAuth2 application (confidential, client credentials) owned by a staff user. */
  client_id: z.string().min(1),
  client_secret: secret,
  /** Username of that staff user. Without it, the course list omits hidden courses. */
  username: z.string().min(1),
  /** Whether a verified name takes precedence over the name in the profile. */
  names: z.enum(["verified_or_profile", "profile"]).default("verified_or_profile"),
  /** Where completion is read from: the plug-in completion-aggregator, or nowhere. */
  completion: z.enum(["aggregator", "none"]).default("none"),
  /** Whether to read learners' site languages, which takes one request for each account and sweep. */
  languages: z.boolean().default(false),
  /** Whether the plug-in learning-paths is installed. */
  paths: z.boolean().default(false),
  /** The event bus over Redis Streams. */
  events: eventBusSettings.optional().meta({ isFileOnly: true }),
});

export type EdxSettings = z.output<typeof edxSettings>;
