import { createHash } from "node:crypto";
import type { Encryption } from "./encryption.js";
import { hex, type PdfDictionary, PdfObject, PdfText, type PdfValue, pdfNumber } from "./pdf-object.js";

/** The beginning of many files: the header and the objects that all of them share, written once. */
export interface FileBeginning {
  readonly numbers: ReadonlyMap<PdfObject, number>;
  readonly offsets: readonly number[];
  readonly bytes: Buffer;
}

interface Trailer {
  readonly root: PdfObject;
  readonly info: PdfObject;
  /** What tells this file from others; of the same seed the same identifier is made. */
  readonly seed: string;
}

const header = (version: string) => Buffer.from(`%PDF-${version}\n%\xE2\xE3\xCF\xD3\n`, "latin1");

/** Writes the objects, and those that they refer to, as the beginning of files. */
export function beginFile(shared: readonly PdfObject[], encryption?: Encryption): FileBeginning {
  const body = createBody(
    { numbers: new Map(), offsets: [], bytes: header(encryption ? "2.0" : "1.7") },
    encryption,
  );
  for (const object of shared) body.number(object);
  return body.finish();
}

/** Writes a file: its beginning, what else its root refers to, the cross-reference table and the trailer. */
export function endFile(
  beginning: FileBeginning,
  { root, info, seed }: Trailer,
  encryption?: Encryption,
): Uint8Array {
  const body = createBody(beginning, encryption);
  const entries: PdfDictionary = { Root: root, Info: info };
  body.number(root);
  body.number(info);
  const { bytes, offsets } = body.finish();
  const id = hex(createHash("sha256").update(seed).digest().subarray(0, 16));
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = body.write({
    ...entries,
    Size: offsets.length + 1,
    ID: [id, id],
    Encrypt: encryption?.dictionary,
  });
  const end = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${bytes.length}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(end, "latin1")]);
}

/** Objects after those of a beginning; each is numbered when it is first referred to. */
function createBody(beginning: FileBeginning, encryption: Encryption | undefined) {
  const numbers = new Map<PdfObject, number>();
  const queue: PdfObject[] = [];
  const offsets = [...beginning.offsets];
  const chunks: Buffer[] = [beginning.bytes];
  let length = beginning.bytes.length;

  function number(object: PdfObject): number {
    const known = beginning.numbers.get(object) ?? numbers.get(object);
    if (known !== undefined) return known;
    const next = beginning.offsets.length + numbers.size + 1;
    numbers.set(object, next);
    queue.push(object);
    return next;
  }

  function write(value: PdfValue): string {
    if (typeof value === "string") return value;
    if (typeof value === "number") return pdfNumber(value);
    if (typeof value === "boolean") return String(value);
    if (value instanceof PdfObject) return `${number(value)} 0 R`;
    if (value instanceof PdfText) return hex(encryption ? encryption.encrypt(value.bytes) : value.bytes);
    if (Array.isArray(value)) return `[${value.map(write).join(" ")}]`;
    return writeDictionary(value as PdfDictionary);
  }

  function writeDictionary(dictionary: PdfDictionary): string {
    let entries = "";
    for (const key in dictionary) {
      const value = dictionary[key];
      if (value !== undefined) entries += `/${key} ${write(value)}\n`;
    }
    return `<<${entries}>>`;
  }

  function append(chunk: Buffer): void {
    chunks.push(chunk);
    length += chunk.length;
  }

  function writeObject(object: PdfObject): void {
    offsets.push(length);
    const start = `${number(object)} 0 obj\n`;
    if (!object.data) {
      append(Buffer.from(`${start}${write(object.value)}\nendobj\n`, "latin1"));
      return;
    }
    const data = encryption ? encryption.encrypt(object.data) : object.data;
    const dictionary = write({ ...(object.value as PdfDictionary), Length: data.length });
    append(Buffer.from(`${start}${dictionary}\nstream\n`, "latin1"));
    append(Buffer.from(data.buffer, data.byteOffset, data.length));
    append(Buffer.from("\nendstream\nendobj\n", "latin1"));
  }

  function finish(): FileBeginning {
    for (let next = queue.shift(); next; next = queue.shift()) writeObject(next);
    return { numbers, offsets, bytes: Buffer.concat(chunks, length) };
  }

  return { number, write, finish };
}
