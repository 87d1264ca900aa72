import { SaxesParser, type SaxesTagPlain } from "saxes";
import { DamagedArchiveError, TooLargeArchiveError, type ZipParts } from "./zip-parts.js";

/** Receives the parts of an XML document. Names have no prefixes. */
interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Maximum number of levels. Workbooks have about ten. */
const MAX_DEPTH = 100;

/** Maximum number of elements: two million cells with everything that they can contain. */
const MAX_ELEMENTS = 16_000_000;

/** Maximum number of characters in a tag, text or comment. */
const MAX_TOKEN_LENGTH = 1_000_000;

/** Number of characters to parse at a time. */
const SLICE = 64 * 1024;

/**
 * Parses an XML part of an archive while it is unpacked. Refuses document types, because they could define entities.
 * @throws DamagedArchiveError, TooLargeArchiveError
 */
export function readXml(parts: ZipParts, name: string, reader: XmlReader): void {
  const parser = new SaxesParser();
  const fail = (error: Error) => {
    throw new DamagedArchiveError(`${name} is not XML: ${error.message}`, { cause: error });
  };
  let [depth, elements, sinceEvent] = [0, 0, 0];
  parser.on("error", fail);
  parser.on("doctype", () => fail(new Error("it has a document type")));
  parser.on("opentag", (tag) => {
    if (++depth > MAX_DEPTH)
      throw new DamagedArchiveError(`${name} has more than ${MAX_DEPTH} levels of elements`);
    if (++elements > MAX_ELEMENTS)
      throw new TooLargeArchiveError(`${name} has more than ${MAX_ELEMENTS} elements`);
    sinceEvent = 0;
    const { name: qualifiedName, attributes } = tag as SaxesTagPlain;
    reader.open?.(localName(qualifiedName), attributes);
  });
  parser.on("closetag", (tag) => {
    depth--;
    sinceEvent = 0;
    reader.close?.(localName(tag.name));
  });
  if (reader.text) {
    const take = (text: string) => reader.text?.(copyOf(text));
    parser.on("text", take);
    parser.on("cdata", take);
  }

  let decoder: InstanceType<typeof TextDecoder> | undefined;
  parts.unpack(name, (piece) => {
    decoder ??= new TextDecoder(encodingOf(piece));
    const text = decoder.decode(piece, { stream: true });
    for (let start = 0; start < text.length; start += SLICE) {
      const slice = text.slice(start, start + SLICE);
      sinceEvent += slice.length;
      parser.write(slice);
      if (sinceEvent > MAX_TOKEN_LENGTH + SLICE)
        throw new TooLargeArchiveError(`${name} has a text of more than ${MAX_TOKEN_LENGTH} characters`);
    }
  });
  parser.close();
}

/**
 * Copies a text. Engines share the characters of a substring, so a substring would keep its whole piece of XML in
 * memory.
 */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
