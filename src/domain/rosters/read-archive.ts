import { invalid } from "#foundation/errors.js";
import {
  DamagedArchiveError,
  openZip,
  TooLargeArchiveError,
} from "#foundation/text/tables/workbook/zip-parts.js";

const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads the wanted files of an archive. Ignores folders and other files.
 * @throws Problem `invalid` if the file is not an archive, or unpacks to more than 512 MB
 */
export function readArchive(bytes: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  try {
    const archive = openZip(bytes, MAX_BYTES);
    for (const path of archive.names) {
      const name = path.split("/").at(-1) ?? "";
      if (!wanted.has(name)) continue;
      if (files.has(name)) throw invalid(`The archive has two files named ${name}.`);
      const pieces: Uint8Array[] = [];
      archive.unpack(path, (piece) => pieces.push(piece));
      files.set(name, Buffer.concat(pieces));
    }
  } catch (error) {
    if (error instanceof TooLargeArchiveError)
      throw invalid("The archive unpacks to more than 512 MB.", error);
    if (error instanceof DamagedArchiveError)
      throw invalid(`It is not a ZIP archive, or it is damaged: ${error.message}.`, error);
    throw error;
  }
  return files;
}
