import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { invalid } from "../errors.js";

const MAX_ENTRIES = 1000;
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads files of a ZIP archive by name. Folders are ignored, and so is everything that was not asked for.
 * @throws Problem `invalid` if it is no archive, or unpacks to more than 512 MB
 */
export async function readArchive(
  bytes: Buffer,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const archive = await open(bytes);
  const files = new Map<string, Uint8Array>();
  let count = 0;
  let length = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      archive.close();
      reject(error);
    };
    archive.on("error", (error) => fail(invalid(`The archive is damaged: ${error.message}.`, error)));
    archive.on("end", () => resolve(files));
    archive.on("entry", (entry: Entry) => {
      count++;
      const name = entry.fileName.split("/").at(-1) ?? "";
      if (count > MAX_ENTRIES) fail(invalid(`The archive has more than ${MAX_ENTRIES} entries.`));
      else if (!wanted.has(name)) archive.readEntry();
      else if (files.has(name)) fail(invalid(`The archive has two files named ${name}.`));
      else {
        unpack(archive, entry, MAX_BYTES - length)
          .then((content) => {
            length += content.length;
            files.set(name, content);
            archive.readEntry();
          })
          .catch(fail);
      }
    });
    archive.readEntry();
  });
}

function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, archive) => {
      if (archive) resolve(archive);
      else reject(invalid(`It is no ZIP archive: ${error?.message ?? "it can't be opened"}.`, error));
    });
  });
}

/** Counts what comes out: the sizes that an archive states may be wrong. */
function unpack(archive: ZipFile, entry: Entry, room: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => {
      if (!stream) {
        reject(invalid(`${entry.fileName} can't be unpacked: ${error?.message}.`, error));
        return;
      }
      const chunks: Buffer[] = [];
      let length = 0;
      stream.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > room) stream.destroy(invalid("The archive unpacks to more than 512 MB."));
        else chunks.push(chunk);
      });
      stream.on("error", reject);
      stream.on("end", () => resolve(Buffer.concat(chunks)));
    });
  });
}
