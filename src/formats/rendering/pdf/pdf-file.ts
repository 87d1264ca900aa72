import { createHash } from "node:crypto";
import type { Encryption } from "./encryption.js";
import { hex, type PdfDictionary, PdfObject, PdfText, type PdfValue, pdfNumber } from "./pdf-object.js";

/** The start of files: the header and the objects that many files share. Written once. */
interface FileBeginning {
  readonly numbers: ReadonlyMap<PdfObject, number>;
  /** Cross-reference entries of the objects in it. */
  readonly table: string;
  readonly bytes: Buffer;
}

interface Trailer {
  readonly root: PdfObject;
  readonly info: PdfObject;
  /** The same seed gives the same file identifier. */
  readonly seed: string;
  readonly signaturePlaceholder?: SignaturePlaceholder | undefined;
}

/** The space for a signature that is inserted later and covers the rest of the file (ISO 32000, 12.8.1). */
export interface SignaturePlaceholder {
  /**
   * The signature dictionary, to which the signature (`Contents`) and the bytes that it covers (`ByteRange`) will be
   * added.
   */
  readonly signature: PdfObject;
  /** Maximum size of the signature in bytes. */
  readonly room: number;
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

/** Writes the shared start, the other objects to which the root refers, the cross-reference table and the trailer. */
export function endFile(
  beginning: FileBeginning,
  { root, info, seed, signaturePlaceholder }: Trailer,
  encryption?: Encryption,
): Uint8Array {
  const body = createBody(beginning, encryption);
  body.number(root);
  body.number(info);
  body.writeObjects(signaturePlaceholder?.signature);
  const gap = signaturePlaceholder && body.writeSignaturePlaceholder(signaturePlaceholder);
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
  const bytes = body.bytes();
  if (gap) bytes.write(byteRange(gap, bytes.length), gap.end + RANGE_KEY.length, "latin1");
  return bytes;
}

const RANGE_KEY = "\n/ByteRange ";

/** Length of the byte range, with three numbers of at most ten digits. */
const RANGE_LENGTH = "[0   ]".length + 30;

/** Returns the range of everything except the signature and its angle brackets, as offsets and lengths. */
function byteRange({ start, end }: { start: number; end: number }, length: number): string {
  return `[0 ${start} ${end} ${length - end}]`.padEnd(RANGE_LENGTH);
}

/** Writes objects after the shared start of a file. An object gets its number when it is first referred to. */
function createBody(beginning: FileBeginning, encryption: Encryption | undefined) {
  const { numbers, number, queue } = createNumbering(beginning.numbers);
  const { append, length, bytes } = createOutput(beginning.bytes);
  const table: string[] = [];

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

  /**
   * Records the object's offset.
   * @returns the first line of the object
   */
  function begin(object: PdfObject): string {
    const own = number(object);
    table[own - beginning.numbers.size - 1] = `${String(length()).padStart(10, "0")} 00000 n \n`;
    return `${own} 0 obj\n`;
  }

  function writeObject(object: PdfObject): void {
    const start = begin(object);
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

  return {
    numbers,
    number,
    write,
    append,
    bytes,
    table: () => beginning.table + table.join(""),
    length,
    /** Writes all numbered objects, and the objects to which they refer, except `but`. */
    writeObjects(but?: PdfObject) {
      for (const object of queue) if (object !== but) writeObject(object);
    },
    /**
     * Writes a signature dictionary with zeros as the signature. It comes after everything else, so that text in the
     * file can't imitate it.
     * @returns the offsets of the opening angle bracket and of the end of the closing angle bracket
     */
    writeSignaturePlaceholder({ signature, room }: SignaturePlaceholder): { start: number; end: number } {
      append(`${begin(signature)}${write(signature.value).slice(0, -">>".length)}/Contents `);
      const start = length();
      append(`<${"0".repeat(2 * room)}>`);
      const end = length();
      append(`${RANGE_KEY}${" ".repeat(RANGE_LENGTH)}>>\nendobj\n`);
      return { start, end };
    },
  };
}

/**
 * Numbers objects in the order in which they are first referred to.
 * @param before numbers of the objects in the shared start
 */
function createNumbering(before: ReadonlyMap<PdfObject, number>) {
  const numbers = new Map<PdfObject, number>();
  const queue: PdfObject[] = [];
  return {
    numbers,
    queue,
    number(object: PdfObject): number {
      const assigned = before.get(object) ?? numbers.get(object);
      if (assigned !== undefined) return assigned;
      const next = before.size + numbers.size + 1;
      numbers.set(object, next);
      queue.push(object);
      return next;
    },
  };
}

/** Collects the parts of a file behind its shared start. */
function createOutput(start: Buffer) {
  /** Strings are Latin-1, in which each character is one byte. */
  const parts: (string | Uint8Array)[] = [];
  let length = start.length;
  return {
    append(part: string | Uint8Array): void {
      parts.push(part);
      length += part.length;
    },
    length: () => length,
    bytes: () => joined(start, parts, length),
  };
}

/** Joins the parts of a file. Copies them only once, because the shared start is most of a file. */
function joined(start: Buffer, parts: readonly (string | Uint8Array)[], length: number): Buffer {
  const all = Buffer.allocUnsafe(length);
  let end = start.copy(all);
  for (const part of parts) {
    if (typeof part === "string") all.write(part, end, "latin1");
    else all.set(part, end);
    end += part.length;
  }
  return all;
}
