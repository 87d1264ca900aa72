import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { issuedPdf } from "../credentials/issued-pdf.js";
import { type Academy, COURSE } from "../support/academy.js";
import { startCommand } from "./run-command.js";

export const PDF = issuedPdf("as it was printed");

const FILE = "issued.ndjson";

/** Starts the import of the file that `writeLines` wrote to the directory. */
export function startImport({ service }: Academy, directory: string, ...args: string[]) {
  return startCommand(service, ["import-credentials", FILE, ...args], directory);
}

/** Writes the lines to a file, with blank lines between them. */
export function writeLines(directory: string, lines: readonly object[]): Promise<void> {
  return writeFile(join(directory, FILE), lines.map((line) => `${JSON.stringify(line)}\n`).join("\n"));
}

/** Returns a credential that was issued elsewhere. Its field names have different spellings. */
export function line(username: string, more: object = {}) {
  return {
    verify_uuid: randomUUID(),
    username,
    user_full_name: "Grace Hopper",
    learningContextKey: COURSE,
    learning_context_name: "Course One",
    credential_type: "Certificate",
    created: "2019-05-20T08:15:30.9Z",
    file: PDF.toString("base64"),
    ...more,
  };
}

/** Returns the number of credentials of learners whose names begin with the prefix, and the number of their files. */
export async function countOf(academy: Academy, prefix: string): Promise<{ rows: number; files: number }> {
  const { credentials } = await academy.credentials.listCredentials({ pageSize: 1000 });
  const ours = credentials.filter(({ username }) => username.startsWith(prefix));
  const files = await Promise.all(ours.map(({ uuid }) => academy.filesOf(uuid)));
  return { rows: ours.length, files: files.flat().length };
}
