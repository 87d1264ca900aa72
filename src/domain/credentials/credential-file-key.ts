import { randomBytes } from "node:crypto";

/** Returns a key that can't be guessed. */
export function newFileKey(directory: string, uuid: string): string {
  return `${directory}/${uuid}/${randomBytes(16).toString("hex")}.pdf`;
}

/**
 * Returns the directory for files of invalidated credentials. No link leads to them.
 * @param outputDir the directory for files of credentials that are not invalidated
 */
export function invalidatedDir(outputDir: string): string {
  return `${outputDir}_invalidated`;
}
