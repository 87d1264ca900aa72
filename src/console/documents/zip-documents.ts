import { Zip, ZipPassThrough } from "fflate";
import { MAX_BYTES, TooLargeError } from "./archive-limits.js";
import { fileNameFor } from "./file-name.js";

export interface ZippedDocument {
  /** Title of the credential, from which the file's name is derived. */
  readonly title: string;
  readonly created: Date;
  /** Reads the PDF; undefined if it no longer exists. */
  read(signal: AbortSignal): Promise<Uint8Array | undefined>;
}

interface Zipped {
  readonly archive: Blob;
  readonly count: number;
  /** Number of documents that no longer existed. */
  readonly missing: number;
}

/**
 * Packs documents into a ZIP file. Doesn't compress the PDFs, because they are already compressed.
 * @param onProgress called with the number of documents that have been read
 * @throws TooLargeError if the documents exceed `MAX_BYTES`; the reason of `signal` if it is aborted
 */
export async function zipDocuments(
  documents: readonly ZippedDocument[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Zipped> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const taken = new Set<string>();
  let failure: Error | undefined;
  const zip = new Zip((error, part) => {
    if (error) failure = error;
    else parts.push(part as Uint8Array<ArrayBuffer>);
  });

  let [size, missing] = [0, 0];
  for (const [index, document] of documents.entries()) {
    signal.throwIfAborted();
    const bytes = await document.read(signal);
    if (bytes) {
      size += bytes.length;
      if (size > MAX_BYTES) throw new TooLargeError(`the documents have more than ${MAX_BYTES} bytes`);
      const entry = new ZipPassThrough(fileNameFor(document.title, "pdf", taken));
      entry.mtime = document.created;
      zip.add(entry);
      entry.push(bytes, true);
    } else {
      missing++;
    }
    onProgress(index + 1);
  }
  zip.end();
  if (failure) throw failure;
  return {
    archive: new Blob(parts, { type: "application/zip" }),
    count: documents.length - missing,
    missing,
  };
}
