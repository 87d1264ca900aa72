import type { JsonValue } from "@bufbuild/protobuf";
import type { ExternalCredential } from "#domain/credentials/imports/import-store.js";
import { invalid, printable } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import { ImportedCredentialSchema } from "#gen/learning_credentials/v1/imported_credential_pb.js";
import { readJsonLine, readMessage } from "./earlier-names.js";
import { parseImportedCredential } from "./parse-imported-credential.js";

/** Reads the file at a path that a line contains. */
type ReadNamedFile = (path: string) => Promise<Uint8Array>;

/**
 * Parses a line of a credentials file: an `ImportedCredential` as proto JSON, with field names in snake_case or
 * lowerCamelCase. Refuses unknown fields, because they may be misspelt.
 * @param readFile reads the file if `file` is a path instead of base64 content
 * @throws Problem `invalid` if the line can't be parsed
 */
export async function parseImportedCredentialLine(
  line: string,
  readFile: ReadNamedFile | undefined,
): Promise<ExternalCredential> {
  const json = readJson(line);
  if (!readFile || !isObject(json) || !("file" in json)) return parseImportedCredential(readCredential(json));
  const { file: path, ...rest } = json;
  if (typeof path !== "string") throw invalid("file must be a string with the path of a file.");
  const message = readCredential(rest);
  return parseImportedCredential({ ...message, file: await readFile(path) });
}

/** Returns the verification UUID in a line, for error messages; empty if there is none. */
export function describeCredentialLine(line: string): string {
  const [, uuid = ""] = /"verify_?uuid"\s*:\s*"([0-9a-f-]{36})"/i.exec(line) ?? [];
  return uuid;
}

function readJson(line: string): JsonValue {
  try {
    return readJsonLine(line);
  } catch (error) {
    throw noCredential(error);
  }
}

function readCredential(json: JsonValue) {
  try {
    return readMessage(ImportedCredentialSchema, json);
  } catch (error) {
    throw noCredential(error);
  }
}

function noCredential(error: unknown) {
  const reason = printable(error instanceof Error ? error.message : String(error), 300);
  return invalid(`It is not a credential: ${reason}.`, error);
}
