import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";
import { importPicture } from "#formats/rendering/pdf/import-picture.js";
import { invalid, Problem } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";
import { properties, remedyFor, svgAttributesOf } from "./svg-rules.js";

const MAX_SIZE = 2 * 1024 * 1024;
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
/** Maximum width and height. */
const MAX_LENGTH = 100_000;
const MAX_NUMBER = 10_000_000;

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const XML = "http://www.w3.org/XML/1998/namespace";
const XMLNS = "http://www.w3.org/2000/xmlns/";

const NUMBER = "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?";
const LENGTH = new RegExp(`^\\s*(${NUMBER})(?:px|pt|pc|mm|cm|in|em|ex)?\\s*$`);
const VIEW_BOX = new RegExp(
  `^\\s*(${NUMBER})(?:\\s+|\\s*,\\s*)(${NUMBER})(?:\\s+|\\s*,\\s*)(${NUMBER})(?:\\s+|\\s*,\\s*)(${NUMBER})\\s*$`,
);
const PATH_DATA = /^[MmZzLlHhVvCcSsQqTtAaeE\d\s,.+-]*$/;
const ANY_NUMBER = new RegExp(NUMBER, "g");
/** Attributes that consist of several numbers. */
const geometry = new Set(["d", "points", "transform", "gradientTransform", "viewBox"]);
/** Properties of text and markers. Drawing programs write them on every shape, although shapes ignore them. */
const IGNORED_PROPERTY =
  /^(?:-inkscape-|font|text-|line-height|letter-spacing|word-spacing|writing-mode|direction|baseline-shift|marker|shape-|white-space|solid-)/;
const LOCAL_URL = /^\s*url\(\s*(?:#([\w.:-]+)|"#([\w.:-]+)"|'#([\w.:-]+)')\s*\)/;

/**
 * Checks that a drawing is well-formed, contains only what `svg-rules.ts` allows, and refers to nothing outside the
 * file.
 * @throws Problem `invalid`
 */
export async function inspectSvg(bytes: Buffer): Promise<void> {
  if (bytes.length > MAX_SIZE) {
    throw invalid(
      `The SVG is ${bytes.length} bytes; at most ${MAX_SIZE} are accepted: simplify its paths, or save it as PNG.`,
    );
  }
  parse(decode(bytes));
  await tryDrawing(bytes);
}

/**
 * Imports the drawing as a design would, so that a colour that can't be printed is reported when the file is uploaded.
 */
async function tryDrawing(bytes: Buffer): Promise<void> {
  try {
    await importPicture({ kind: "svg", bytes, sha256: "" });
  } catch (error) {
    const reason = error instanceof Problem ? error.message : "The drawing can't be read.";
    throw invalid(
      `${shown(reason, 200)} Save it as plain SVG with shapes in plain colours, or as PNG.`,
      error,
    );
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalid("The SVG is not in UTF-8: save it in that encoding.", error);
  }
}

function parse(text: string): void {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const ids = new Set<string>();
  const references = new Set<string>();
  let depth = 0;
  let count = 0;

  parser.on("error", (error) => {
    throw invalid(
      `The SVG is not well-formed XML: ${error.message}. Save it again, and upload the new file.`,
      error,
    );
  });
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding)) {
      throw invalid(`The SVG declares the encoding ${shorten(encoding, 40)}: save it in UTF-8.`);
    }
  });
  parser.on("doctype", () => {
    throw invalid("The SVG has a document type (DOCTYPE): save it without one.");
  });
  parser.on("processinginstruction", ({ target }) => {
    throw invalid(
      `The SVG has a processing instruction (<?${shorten(target, 40)}?>): remove that instruction.`,
    );
  });
  parser.on("opentag", (tag) => {
    count += 1;
    if (count > MAX_ELEMENTS) {
      throw invalid(`The SVG draws more than ${MAX_ELEMENTS} elements: simplify it, or save it as PNG.`);
    }
    if (depth >= MAX_DEPTH) {
      throw invalid(`The elements of the SVG are nested more than ${MAX_DEPTH} deep: simplify it.`);
    }
    for (const reference of checkElement(tag)) references.add(reference);
    const id = tag.attributes.id?.value;
    if (id !== undefined) {
      if (ids.has(id))
        throw invalid(`The SVG has two elements with the id "${shown(id)}": give each its own.`);
      ids.add(id);
    }
    if (depth === 0) checkRoot(tag);
    depth += 1;
  });
  parser.on("closetag", () => {
    depth -= 1;
  });
  parser.write(text).close();
  if (count === 0) throw invalid("The SVG contains no drawing: export it again, and upload the new file.");
  for (const id of references) {
    if (!ids.has(id)) throw invalid(`The SVG refers to "#${shown(id)}", which doesn't exist in the file.`);
  }
}

/** Checks an element, and returns the ids to which the element refers. */
function checkElement(tag: SaxesTagNS): string[] {
  const { local: name, uri } = tag;
  const allowed = uri === SVG ? svgAttributesOf(name) : undefined;
  if (!allowed)
    throw invalid(`The SVG contains <${shown(tag.name)}>, which can't be used. ${remedyFor(name)}`);
  const attributes = Object.values(tag.attributes);
  if (attributes.length > MAX_ATTRIBUTES) {
    throw invalid(`A <${name}> of the SVG has more than ${MAX_ATTRIBUTES} attributes: simplify it.`);
  }
  return attributes.flatMap((attribute) => checkAttribute(name, attribute, allowed));
}

function checkAttribute(
  element: string,
  attribute: SaxesAttributeNS,
  allowed: ReadonlySet<string>,
): string[] {
  const { local, uri, value } = attribute;
  const refuse = (reason: string) =>
    invalid(`The SVG has a <${element}> with ${shown(attribute.name)}="${shown(value)}"${reason}`);
  if (uri === XMLNS || (uri === XML && (local === "space" || local === "lang"))) return [];
  if (uri === "" && /^(?:data|aria)-[\w-]+$/.test(local)) return [];
  const isLink = local === "href" && (uri === "" || uri === XLINK);
  if (uri !== "" && !isLink) throw refuse(", which can't be used: save it as plain SVG.");
  if (!allowed.has(local) && !IGNORED_PROPERTY.test(local))
    throw refuse(", which can't be used: remove that attribute.");
  if (isLink) {
    if (!/^#[\w.:-]+$/.test(value))
      throw refuse(": a reference must be to an id of the same file, such as #seal.");
    return [value.slice(1)];
  }
  if (local === "style") {
    return value.split(";").flatMap((declaration) => checkDeclaration(declaration, refuse));
  }
  if ((local === "d" || local === "points") && !PATH_DATA.test(value)) throw refuse(", which is not a path.");
  if (geometry.has(local) || LENGTH.test(value)) checkNumbers(value, refuse);
  return checkValue(value, refuse);
}

function checkNumbers(value: string, refuse: (reason: string) => Error): void {
  for (const [number] of value.matchAll(ANY_NUMBER)) {
    if (Math.abs(Number(number)) > MAX_NUMBER) throw refuse(`: its numbers may be at most ${MAX_NUMBER}.`);
  }
}

function checkDeclaration(declaration: string, refuse: (reason: string) => Error): string[] {
  if (declaration.trim() === "") return [];
  const [, property = "", value = ""] = /^\s*([\w-]+)\s*:(.*)$/s.exec(declaration) ?? [];
  if (!properties.has(property) && !IGNORED_PROPERTY.test(property)) {
    throw refuse(
      `, but the style "${shown(property || declaration)}" can't be used: use presentation attributes instead.`,
    );
  }
  return checkValue(value, refuse);
}

/**
 * Checks that a value refers to nothing except an id in the same file, with `url(#id)` at its start. Returns the id, if
 * there is one.
 */
function checkValue(value: string, refuse: (reason: string) => Error): string[] {
  const url = LOCAL_URL.exec(value);
  const rest = url ? value.slice(url[0].length) : value;
  // A backslash or a comment could hide a name from this check, but not from a viewer.
  if (/[\\@<]|\/\*|url|image|expression|javascript:/i.test(rest)) {
    throw refuse(": a reference must be to an id of the same file, such as url(#gold).");
  }
  const id = url?.[1] ?? url?.[2] ?? url?.[3];
  return id === undefined ? [] : [id];
}

function checkRoot(tag: SaxesTagNS): void {
  if (tag.local !== "svg") throw invalid("The file is XML, but not an SVG drawing.");
  const viewBox = VIEW_BOX.exec(tag.attributes.viewBox?.value ?? "")?.slice(3);
  const size = ["width", "height"].map((name) => LENGTH.exec(tag.attributes[name]?.value ?? "")?.[1]);
  const declared = viewBox ?? size;
  if (declared.some((length) => length === undefined)) {
    throw invalid('The SVG has no size: give its <svg> a viewBox, such as viewBox="0 0 842 595".');
  }
  if (declared.some((length) => !(Number(length) > 0 && Number(length) <= MAX_LENGTH))) {
    throw invalid(
      `The SVG has the size ${declared.join(" x ")}: it must be more than 0 and at most ${MAX_LENGTH}.`,
    );
  }
}

function shown(text: string, max = 60): string {
  return shorten(text.replace(/\s+/g, " "), max);
}
