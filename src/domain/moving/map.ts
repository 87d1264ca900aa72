import { z } from "zod";
import { invalid } from "#foundation/errors.js";
import { readSettingsJson } from "#foundation/text/settings-json.js";

const context = z.strictObject({
  learning_context_key: z.string().optional(),
  learning_context_name: z.string().optional(),
  credential_type: z.string().optional(),
});

const exportMap = z.strictObject({
  /** By course key, or by the name or id that the other system has for what was earned. */
  contexts: z.record(z.string(), context).default({}),
  /** Of all contexts that state none. */
  credential_type: z.string().optional(),
  /** Who issued the credentials, for exports that don't say it. */
  issuer: z.string().optional(),
  /** Usernames by email address. */
  learners: z.record(z.string(), z.string()).default({}),
  /** What is done with an email address that no learner has. */
  unknown_learners: z.enum(["refuse", "email"]).default("refuse"),
  /** For withdrawn credentials, where the export does not say when, or why. */
  withdrawn_at: z.iso.datetime({ offset: true }).optional(),
  withdrawal_reason: z.string().default("Withdrawn by the issuer."),
  /** Headings by columns, for tables. */
  columns: z.record(z.string(), z.string()).default({}),
  /** Whether credentials without a file are printed by the design of their configuration. */
  print_files: z.boolean().default(false),
  /** Names of functions here, by those of the export. */
  functions: z.record(z.string(), z.string()).default({}),
});

/** What an export does not say. */
export type ExportMap = z.output<typeof exportMap>;

export const NO_MAP: ExportMap = exportMap.parse({});

/** @throws Problem `invalid` naming what is wrong with the map */
export function parseMap(text: string, name: string): ExportMap {
  let value: unknown;
  try {
    value = readSettingsJson(text);
  } catch (error) {
    throw invalid(`${name} is no JSON: ${(error as Error).message}`, error);
  }
  const result = exportMap.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${name}: ${issue?.path.join(".") || "it"}: ${issue?.message}`);
}
