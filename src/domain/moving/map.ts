import { z } from "zod";
import { parseSettings } from "#foundation/text/settings-json.js";

const context = z.strictObject({
  learning_context_key: z.string().optional(),
  learning_context_name: z.string().optional(),
  credential_type: z.string().optional(),
});

const exportMap = z.strictObject({
  /** Contexts by course key, or by the other system's name or id of the course or achievement. */
  contexts: z.record(z.string(), context).default({}),
  /** Credential type for contexts that name none. */
  credential_type: z.string().optional(),
  /** Issuer, if the export names none. */
  issuer: z.string().optional(),
  /** Usernames by email address. */
  learners: z.record(z.string(), z.string()).default({}),
  /** How to treat email addresses that no learner has. */
  unknown_learners: z.enum(["refuse", "email"]).default("refuse"),
  /** Time and reason of withdrawals, if the export contains none. */
  withdrawn_at: z.iso.datetime({ offset: true }).optional(),
  withdrawal_reason: z.string().default("Withdrawn by the issuer."),
  /** Headings by column name, for tables. */
  columns: z.record(z.string(), z.string()).default({}),
  /** Whether credentials without a file are printed with the design of their configuration. */
  print_files: z.boolean().default(false),
  /** Names of functions in this service, by their names in the export. */
  functions: z.record(z.string(), z.string()).default({}),
});

/** The map file, with information that the export lacks. */
export type ExportMap = z.output<typeof exportMap>;

export const NO_MAP: ExportMap = exportMap.parse({});

/** @throws Problem `invalid` */
export function parseMap(text: string, name: string): ExportMap {
  return parseSettings(text, name, exportMap);
}
