import { open, rm } from "node:fs/promises";
import type { Command } from "commander";
import { invalid } from "#foundation/errors.js";
import { print } from "./print.js";

export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
  /** The unchanged line. */
  readonly text: string;
}

/**
 * The rejected lines of an import as NDJSON, with `line`, `reason` and `record`. The record is the unchanged line. If
 * the line is not JSON, it is in `text` instead of `record`.
 */
export interface RejectsFile {
  write(lines: readonly RejectedLine[]): Promise<void>;
  /** Closes the file. Deletes it if nothing was written. */
  close(): Promise<void>;
  /**
   * If lines were rejected, prints where they are and makes the command fail.
   * @param what kind of the lines, for example `records`
   */
  printSummary(what: string): void;
}

export interface RejectsOptions {
  readonly skipInvalid: boolean;
  /** The path of the file. */
  readonly rejects?: string;
}

/** @param what kind of the imported lines, for example `records` */
export function withRejects(command: Command, what: string): Command {
  return command
    .option("--skip-invalid", `skip ${what} that can't be imported, and write them to a file`, false)
    .option(
      "--rejects <file>",
      "new file for skipped records (default: <file>.rejects.ndjson, or import.rejects.ndjson for -)",
    );
}

/**
 * Opens the file for the rejected lines of `input`. Returns undefined if the import stops at the first rejected line.
 * @throws Problem `invalid` if the file is named but not needed, can't be created or already exists. Existing files,
 * such as the input, are never overwritten.
 */
export async function openRejectsFile(
  input: string,
  { skipInvalid, rejects }: RejectsOptions,
): Promise<RejectsFile | undefined> {
  if (skipInvalid) return createRejectsFile(rejects ?? `${input === "-" ? "import" : input}.rejects.ndjson`);
  if (rejects === undefined) return undefined;
  throw invalid(
    "--rejects needs --skip-invalid: without it, the first line that is rejected stops the import.",
  );
}

async function createRejectsFile(path: string): Promise<RejectsFile> {
  const file = await open(path, "wx").catch((error) => {
    throw error.code === "EEXIST"
      ? invalid(`${path} already exists: move it, or name another file with --rejects.`, error)
      : invalid(`${path} can't be written: ${error.message}`, error);
  });
  let isEmpty = true;
  return {
    async write(lines) {
      if (lines.length === 0) return;
      isEmpty = false;
      await file.appendFile(lines.map((line) => `${describe(line)}\n`).join(""));
    },
    async close() {
      await file.close();
      if (isEmpty) await rm(path);
    },
    printSummary(what) {
      if (isEmpty) return;
      print(`rejected ${what} and reasons: ${path}`);
      process.exitCode = 1;
    },
  };
}

/** Copies the line unchanged. Serialising it again could hide the fault, for example a duplicate name. */
function describe({ line, reason, text }: RejectedLine): string {
  const about = `{"line":${line},"reason":${JSON.stringify(reason)}`;
  return isJson(text) ? `${about},"record":${text.trim()}}` : `${about},"text":${JSON.stringify(text)}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
