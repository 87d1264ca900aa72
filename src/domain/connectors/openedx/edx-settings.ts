import { z } from "zod";
import { eventBusSettings } from "./events/event-bus-settings.js";

/** Settings of an Open edX connector, besides those of every connector. */
export const edxSettings = z.object({
  /** Of an OAuth2 application (confidential, client credentials) that a staff user owns. */
  client_id: z.string().min(1),
  client_secret_file: z.string().min(1),
  /** That user: without a name, the course list leaves out hidden courses. */
  username: z.string().min(1),
  /** Whether a verified name counts before the name in the profile. */
  names: z.enum(["verified_or_profile", "profile"]).default("verified_or_profile"),
  /** Where completion comes from: the plug-in completion-aggregator, or nowhere. */
  completion: z.enum(["aggregator", "none"]).default("none"),
  /** Whether the language that learners have chosen for the site is read: one request for each account and sweep. */
  languages: z.boolean().default(false),
  /** Whether there is the plug-in learning-paths. */
  paths: z.boolean().default(false),
  /** The event bus over Redis Streams. */
  events: eventBusSettings.optional(),
});

export type EdxSettings = z.output<typeof edxSettings>;
