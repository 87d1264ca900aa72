import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { invalid, Problem, quoted } from "#foundation/errors.js";

/** Reads a file by its path relative to a directory. */
export type ReadFileBelow = (path: string) => Promise<Buffer>;

/**
 * Returns a function that reads regular files below a directory. Someone other than the user may have written the
 * paths, so the size is limited and symbolic links must not lead out of the directory.
 * @param option the option that names the directory, for error messages
 */
export function readBelow(directory: string, option: string, maxBytes: number): ReadFileBelow {
  return async (path) => {
    const outside = () =>
      invalid(`file is ${quoted(path)}, which is not in the directory that ${option} names.`);
    if (!isBelow(resolve(directory), resolve(directory, path))) throw outside();
    try {
      const root = await realpath(directory);
      const real = await realpath(resolve(root, path));
      if (!isBelow(root, real)) throw outside();
      // Without O_NONBLOCK, opening a pipe would wait for a writer.
      const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      return await readEntireFile(file, maxBytes).finally(() => file.close());
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw invalid(
        `file ${quoted(path)} can't be read: ${(error as Error).message.replace(/\.$/, "")}.`,
        error,
      );
    }
  };
}

async function readEntireFile(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const about = await file.stat();
  if (!about.isFile()) throw new Error("it is not a regular file");
  if (about.size > maxBytes) throw new Error(`it has ${about.size} bytes; at most ${maxBytes} are accepted`);
  const buffer = Buffer.alloc(about.size);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function isBelow(directory: string, path: string): boolean {
  const inside = relative(directory, path);
  return inside !== "" && inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside);
}
