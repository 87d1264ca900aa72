import { open, rm } from "node:fs/promises";
import { invalid } from "../errors.js";

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
  readonly path: string;
  write(lines: readonly RejectedLine[]): Promise<void>;
  /** Removes the file if nothing was written. */
  close(): Promise<void>;
}

/** Adds the options for lines that can't be imported. */
export interface RejectsOptions {
  readonly skipInvalid: boolean;
  /** The path of the file. */
  readonly rejects?: string;
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
      ? invalid(`${path} exists already: move it away, or name another file with --rejects.`, error)
      : invalid(`${path} can't be written: ${error.message}`, error);
  });
  let isEmpty = true;
  return {
    path,
    async write(lines) {
      if (lines.length === 0) return;
      isEmpty = false;
      await file.appendFile(lines.map((line) => `${describe(line)}\n`).join(""));
    },
    async close() {
      await file.close();
      if (isEmpty) await rm(path);
    },
  };
}

/** The line is copied, not serialised again: that could lose the fault, such as a duplicate name. */
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
