import { z } from "zod";
import { invalid } from "#foundation/errors.js";
import { readSettingsJson } from "#foundation/text/settings-json.js";

const context = z.strictObject({
  learning_context_key: z.string().optional(),
  learning_context_name: z.string().optional(),
  credential_type: z.string().optional(),
});

const exportMap = z.strictObject({
  /** By course key, or by the other system's name or id of the course or achievement. */
  contexts: z.record(z.string(), context).default({}),
  /** Default for contexts without a credential type. */
  credential_type: z.string().optional(),
  /** The issuer of the credentials, for exports without one. */
  issuer: z.string().optional(),
  /** Usernames by email address. */
  learners: z.record(z.string(), z.string()).default({}),
  /** What to do with an email address that no learner has. */
  unknown_learners: z.enum(["refuse", "email"]).default("refuse"),
  /** Defaults for withdrawn credentials, for exports without the time or reason. */
  withdrawn_at: z.iso.datetime({ offset: true }).optional(),
  withdrawal_reason: z.string().default("Withdrawn by the issuer."),
  /** For tables: headings by column name. */
  columns: z.record(z.string(), z.string()).default({}),
  /** Whether to print credentials without a file with the design of their configuration. */
  print_files: z.boolean().default(false),
  /** Names of functions in this service, by their names in the export. */
  functions: z.record(z.string(), z.string()).default({}),
});

/** The map file, with information that the export lacks. */
export type ExportMap = z.output<typeof exportMap>;

export const NO_MAP: ExportMap = exportMap.parse({});

/** @throws Problem `invalid` with the fault in the map */
export function parseMap(text: string, name: string): ExportMap {
  let value: unknown;
  try {
    value = readSettingsJson(text);
  } catch (error) {
    throw invalid(`${name} is not JSON: ${(error as Error).message}`, error);
  }
  const result = exportMap.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${name}: ${issue?.path.join(".") || "it"}: ${issue?.message}`);
}
