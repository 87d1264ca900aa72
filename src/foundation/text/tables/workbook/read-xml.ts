import { SaxesParser, type SaxesTagPlain } from "saxes";
import { DamagedArchiveError, TooLargeArchiveError, type ZipParts } from "./zip-parts.js";

/** What is told of a part; names are without their prefix. */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Elements within each other; a workbook has some ten. */
const MOST_DEPTH = 100;

/** Two million cells have as many, with all that they can hold. */
const MOST_ELEMENTS = 16_000_000;

/** Characters of a tag, a text or a comment. */
const MOST_TOKEN = 1_000_000;

/** Characters that are parsed at once. */
const SLICE = 64 * 1024;

/**
 * Reads an XML part of an archive while it is unpacked. A document type, which could define entities, is refused.
 * @throws DamagedArchiveError; TooLargeArchiveError
 */
export function readXml(parts: ZipParts, name: string, reader: XmlReader): void {
  const parser = new SaxesParser();
  const fail = (error: Error) => {
    throw new DamagedArchiveError(`${name} is no XML: ${error.message}`, { cause: error });
  };
  let [depth, elements, sinceEvent] = [0, 0, 0];
  parser.on("error", fail);
  parser.on("doctype", () => fail(new Error("it has a document type")));
  parser.on("opentag", (tag) => {
    if (++depth > MOST_DEPTH)
      throw new DamagedArchiveError(`${name} has more than ${MOST_DEPTH} elements within each other`);
    if (++elements > MOST_ELEMENTS)
      throw new TooLargeArchiveError(`${name} has more than ${MOST_ELEMENTS} elements`);
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
      if (sinceEvent > MOST_TOKEN + SLICE)
        throw new TooLargeArchiveError(`${name} has a text of more than ${MOST_TOKEN} characters`);
    }
  });
  parser.close();
}

/** A text that was cut from a piece of XML keeps all of the piece in memory, as engines share characters. */
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
