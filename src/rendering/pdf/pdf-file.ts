import { createHash } from "node:crypto";
import type { Encryption } from "./encryption.js";
import { hex, type PdfDictionary, PdfObject, PdfText, type PdfValue, pdfNumber } from "./pdf-object.js";

/** The start of many files: the header and the objects that all of them share, written once. */
export interface FileBeginning {
  readonly numbers: ReadonlyMap<PdfObject, number>;
  /** The entries of its objects in the cross-reference table. */
  readonly table: string;
  readonly bytes: Buffer;
}

interface Trailer {
  readonly root: PdfObject;
  readonly info: PdfObject;
  /** Identifies the file: the same seed gives the same file identifier. */
  readonly seed: string;
}

const header = (version: string) => Buffer.from(`%PDF-${version}\n%\xE2\xE3\xCF\xD3\n`, "latin1");

/** Writes the objects, and all objects to which they refer, as the start of files. */
export function beginFile(shared: readonly PdfObject[], encryption?: Encryption): FileBeginning {
  const empty = { numbers: new Map(), table: "", bytes: header(encryption ? "2.0" : "1.7") };
  const body = createBody(empty, encryption);
  for (const object of shared) body.number(object);
  body.writeObjects();
  return { numbers: body.numbers, table: body.table(), bytes: body.bytes() };
}

/**
 * Writes a file: its start, the remaining objects to which its root refers, the cross-reference table and the
 * trailer.
 */
export function endFile(
  beginning: FileBeginning,
  { root, info, seed }: Trailer,
  encryption?: Encryption,
): Uint8Array {
  const body = createBody(beginning, encryption);
  body.number(root);
  body.number(info);
  body.writeObjects();
  const id = hex(createHash("sha256").update(seed).digest().subarray(0, 16));
  const size = beginning.numbers.size + body.numbers.size + 1;
  const trailer = body.write({
    Root: root,
    Info: info,
    Size: size,
    ID: [id, id],
    Encrypt: encryption?.dictionary,
  });
  const start = body.length();
  body.append(`xref\n0 ${size}\n0000000000 65535 f \n${body.table()}trailer\n${trailer}\n`);
  body.append(`startxref\n${start}\n%%EOF\n`);
  return body.bytes();
}

/** Writes objects after those of a file's start. Each is numbered when it is first referred to. */
function createBody(beginning: FileBeginning, encryption: Encryption | undefined) {
  const numbers = new Map<PdfObject, number>();
  const queue: PdfObject[] = [];
  /** Strings are Latin-1: their characters are the bytes. */
  const parts: (string | Uint8Array)[] = [];
  let table = beginning.table;
  let length = beginning.bytes.length;

  function number(object: PdfObject): number {
    const known = beginning.numbers.get(object) ?? numbers.get(object);
    if (known !== undefined) return known;
    const next = beginning.numbers.size + numbers.size + 1;
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

  function append(part: string | Uint8Array): void {
    parts.push(part);
    length += part.length;
  }

  function writeObject(object: PdfObject): void {
    table += `${String(length).padStart(10, "0")} 00000 n \n`;
    const start = `${number(object)} 0 obj\n`;
    if (!object.data) {
      append(`${start}${write(object.value)}\nendobj\n`);
      return;
    }
    const data = encryption ? encryption.encrypt(object.data) : object.data;
    const dictionary = write({ ...(object.value as PdfDictionary), Length: data.length });
    append(`${start}${dictionary}\nstream\n`);
    append(data);
    append("\nendstream\nendobj\n");
  }

  /** Copies everything once: the shared start is most of a file. */
  function bytes(): Buffer {
    const all = Buffer.allocUnsafe(length);
    let end = beginning.bytes.copy(all);
    for (const part of parts) {
      if (typeof part === "string") all.write(part, end, "latin1");
      else all.set(part, end);
      end += part.length;
    }
    return all;
  }

  return {
    numbers,
    number,
    write,
    append,
    bytes,
    table: () => table,
    length: () => length,
    /** Writes the objects that have a number, and all objects to which they refer. */
    writeObjects() {
      for (const object of queue) writeObject(object);
    },
  };
}
