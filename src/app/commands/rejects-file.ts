import { open, rm } from "node:fs/promises";
import type { Command } from "commander";
import { invalid } from "#foundation/errors.js";
import { print } from "./print.js";

/** A line that was rejected. */
export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
  /** The line itself. */
  readonly text: string;
}

/**
 * The file for the rejected lines of an import. It is NDJSON with `line`, `reason` and `record`, which is the
 * unchanged line. If the line is not JSON, it has `text` instead of `record`.
 */
export interface RejectsFile {
  write(lines: readonly RejectedLine[]): Promise<void>;
  /** Removes the file if nothing was written. */
  close(): Promise<void>;
  /**
   * Reports where the rejected lines are, if there are any, and makes the command fail. @param what the lines are, for
   * example `records`
   */
  tell(what: string): void;
}

/** Options for lines that can't be imported. */
export interface RejectsOptions {
  readonly skipInvalid: boolean;
  /** The path of the file. */
  readonly rejects?: string;
}

/** Adds these options. @param what is imported, for example `records` */
export function withRejects(command: Command, what: string): Command {
  return command
    .option("--skip-invalid", `skip ${what} that can't be imported, and write them to a file`, false)
    .option(
      "--rejects <file>",
      "new file for skipped records (default: <file>.rejects.ndjson, or import.rejects.ndjson for -)",
    );
}

/**
 * Opens the file for the rejected lines of `input`; undefined if the first of them stops the import.
 * @throws Problem `invalid` if it was named without need, can't be created or exists: nothing is overwritten,
 *   least of all an input
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
    tell(what) {
      if (isEmpty) return;
      print(`rejected ${what} and reasons: ${path}`);
      process.exitCode = 1;
    },
  };
}

/** The line is copied and not serialised again, because that could remove the fault, for example a duplicate name. */
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
