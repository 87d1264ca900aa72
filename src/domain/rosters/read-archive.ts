import { invalid } from "#foundation/errors.js";
import { readZip } from "#foundation/text/read-zip.js";

/**
 * Reads the wanted files of an archive. Ignores folders and other files.
 * @throws Problem `invalid` if the file is not an archive, or unpacks to more than 512 MB
 */
export function readArchive(bytes: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, Uint8Array> {
  return readZip(bytes, "The file", (archive) => {
    const files = new Map<string, Uint8Array>();
    for (const path of archive.names) {
      const name = path.split("/").at(-1) ?? "";
      if (!wanted.has(name)) continue;
      if (files.has(name)) throw invalid(`The archive has two files named ${name}.`);
      const pieces: Uint8Array[] = [];
      archive.unpack(path, (piece) => pieces.push(piece));
      files.set(name, Buffer.concat(pieces));
    }
    return files;
  });
}
