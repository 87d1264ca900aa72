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
 * Where the rejected lines of an import are kept: NDJSON, with `line`, `reason` and `record`, which is the line as it came, or
 * `text` where that is no JSON.
 */
export interface RejectsFile {
  readonly path: string;
  write(lines: readonly RejectedLine[]): Promise<void>;
  /** Removes the file if nothing was written. */
  close(): Promise<void>;
}

/** Options of the commands that import, for lines that can't be imported. */
export interface RejectsOptions {
  readonly skipInvalid: boolean;
  /** The path of the file. */
  readonly rejects?: string;
}

/**
 * The file that the rejected lines of `input` go to; undefined when the first of them stops the import.
 * @throws Problem `invalid` when it was named in vain, can't be made, or is there already: nothing is overwritten, an input
 *   least of all
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

/** The record is not written anew: what is wrong with it may be lost, such as a name that it has twice. */
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
