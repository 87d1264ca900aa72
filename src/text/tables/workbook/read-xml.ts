import { SaxesParser, type SaxesTagPlain } from "saxes";
import { DamagedArchiveError, type ZipParts } from "./zip-parts.js";

/** What is told of a part; names are without their prefix. */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Reads an XML part of an archive while it is unpacked. A document type, which could define entities, is refused.
 * @throws DamagedArchiveError; TooLargeArchiveError
 */
export function readXml(parts: ZipParts, name: string, reader: XmlReader): void {
  const parser = new SaxesParser();
  const fail = (error: Error) => {
    throw new DamagedArchiveError(`${name} is no XML: ${error.message}`, { cause: error });
  };
  parser.on("error", fail);
  parser.on("doctype", () => fail(new Error("it has a document type")));
  parser.on("opentag", (tag) => {
    const { name: given, attributes } = tag as SaxesTagPlain;
    reader.open?.(localName(given), attributes);
  });
  parser.on("closetag", (tag) => reader.close?.(localName(tag.name)));
  if (reader.text) parser.on("text", (text) => reader.text?.(copyOf(text)));

  let decoder: InstanceType<typeof TextDecoder> | undefined;
  parts.unpack(name, (piece) => {
    decoder ??= new TextDecoder(encodingOf(piece));
    parser.write(decoder.decode(piece, { stream: true }));
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
