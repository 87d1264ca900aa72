import { readFile } from "node:fs/promises";
import { z } from "zod";
import { failedPrecondition } from "#foundation/errors.js";

/** A token, password or key: the path of a file that contains it, or the value saved in the console. */
export type Secret = { readonly file: string } | { readonly value: string };

/**
 * Schema for a secret in a driver's settings. In `CONNECTORS_FILE`, the setting has the suffix `_file` and is the path
 * of a file. In the console, people enter the secret itself.
 */
export const secret = z
  .custom<Secret>((value) => typeof value === "object" && value !== null, "must be set")
  .meta({ isSecret: true });

export function secretNamesIn({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => propertiesOf(shape[name])?.isSecret === true);
}

export function fileOnlyNamesIn({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => propertiesOf(shape[name])?.isFileOnly === true);
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  return schema instanceof z.ZodOptional ? (schema.meta() ?? propertiesOf(schema.unwrap())) : schema.meta();
}

/** Returns the name of the setting with the secret, as written by the operator. */
export function shownName(name: string, secret: Secret | undefined): string {
  return secret && "file" in secret ? `${name}_file` : name;
}

export async function readSecret(secret: Secret | undefined): Promise<string> {
  if (secret === undefined) return "";
  return "value" in secret ? secret.value.trim() : readSecretFile(secret.file);
}

export async function readSecretFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw failedPrecondition(`The secret file ${path} can't be read: ${error.message}.`, {
      cause: error,
    });
  });
  const content = text.trim();
  if (content === "") throw failedPrecondition(`The secret file ${path} is empty.`);
  return content;
}
