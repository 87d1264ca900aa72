import { randomBytes } from "node:crypto";

/** Returns an unguessable file key for a file of the credential with this `uuid`. */
export function newFileKey(directory: string, uuid: string): string {
  return `${directory}/${uuid}/${randomBytes(16).toString("hex")}.pdf`;
}

/**
 * Returns the directory to which files of invalidated credentials are moved. No link leads there.
 * @param outputDir the directory for files of credentials in force
 */
export function invalidatedDir(outputDir: string): string {
  return `${outputDir}_invalidated`;
}
