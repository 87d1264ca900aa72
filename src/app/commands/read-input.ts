import { readFile } from "node:fs/promises";
import { invalid } from "#foundation/errors.js";

/** @throws Problem `invalid` that names the file and the reason */
export async function readInput(file: string): Promise<Buffer> {
  return readFile(file).catch((error: Error) => {
    throw invalid(`${file} can't be read: ${error.message}`, error);
  });
}
