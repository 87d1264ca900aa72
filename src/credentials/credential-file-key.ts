import { randomBytes } from "node:crypto";

/** A key that nobody can guess, for a file of the credential with this `uuid`. */
export function newFileKey(directory: string, uuid: string): string {
  return `${directory}/${uuid}/${randomBytes(16).toString("hex")}.pdf`;
}

/**
 * Where the files of invalidated credentials are put away: no link leads there.
 * @param outputDir where those of credentials in force lie
 */
export function invalidatedDir(outputDir: string): string {
  return `${outputDir}_invalidated`;
}
