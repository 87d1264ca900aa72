import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { invalid } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";

const MAX_NESTING = 60;
const MAX_VALUES = 2_000_000;

/** Actions that only open another place of the document or a web page (ISO 32000-1, 12.6.4). */
const harmlessActions = new Set(["GoTo", "Named", "URI"]);

/** Annotations that do more than display content (ISO 32000-1, 12.5.6). */
const activeAnnotations = new Map([
  ["FileAttachment", "an attached file"],
  ["Movie", "a film"],
  ["RichMedia", "video or sound"],
  ["Screen", "video or sound"],
  ["Sound", "a sound"],
  ["3D", "a 3D scene"],
  ["Widget", "a form field"],
]);

const PRINT_VISIBLE = "Print it to a new PDF, which contains only what is visible, and upload the new file.";

/**
 * Rejects content that becomes active when a viewer opens the file: scripts, actions, forms, films, embedded files.
 * Every object of the file is checked, because the whole file may be copied into a credential.
 * @param options.admitsSignatures whether digital signatures, which are form fields, are allowed
 * @throws Problem `invalid` naming what was found
 */
export function refuseActiveContent(
  objects: Iterable<PDFObject>,
  options = { admitsSignatures: false },
): void {
  let values = 0;
  const open: (readonly [object: PDFObject, depth: number])[] = [];
  for (const object of objects) {
    open.push([object, 0]);
    for (let next = open.pop(); next; next = open.pop()) {
      const [value, depth] = next;
      values += 1;
      if (depth > MAX_NESTING)
        throw invalid(`The objects of the PDF are nested too deeply. ${PRINT_VISIBLE}`);
      if (values > MAX_VALUES)
        throw invalid(
          `The PDF is too complex: it consists of more than ${MAX_VALUES / 1e6} million values. ${PRINT_VISIBLE}`,
        );
      if (value instanceof PDFDict) checkDictionary(value, options);
      for (const child of childrenOf(value)) open.push([child, depth + 1]);
    }
  }
}

function childrenOf(object: PDFObject): PDFObject[] {
  if (object instanceof PDFDict) return object.values();
  if (object instanceof PDFArray) return object.asArray();
  if (object instanceof PDFStream) {
    if (object instanceof PDFRawStream && object.dict.has(PDFName.of("F")))
      throw forbiddenContent("data in another file");
    return [object.dict];
  }
  return [];
}

function checkDictionary(dict: PDFDict, { admitsSignatures }: { admitsSignatures: boolean }): void {
  const has = (key: string) => dict.has(PDFName.of(key));
  const hasDictionary = (key: string) => dict.lookup(PDFName.of(key)) instanceof PDFDict;
  const name = (key: string) => nameOf(dict.lookup(PDFName.of(key)));
  if (has("JS") || has("JavaScript")) throw forbiddenContent("JavaScript");
  if (has("XFA")) throw forbiddenContent("an XFA form");
  if (hasDictionary("EF") || has("EmbeddedFiles") || name("Type") === "EmbeddedFile")
    throw forbiddenContent("an embedded file");
  const triggers = dict.lookup(PDFName.of("AA"));
  if (triggers instanceof PDFDict && !triggers.keys().every((key) => isMove(triggers.lookup(key))))
    throw forbiddenContent("automatic actions");
  if (has("RichMediaContent")) throw forbiddenContent("video or sound");
  checkAction(dict, "A");
  checkAction(dict, "OpenAction");
  checkAction(dict, "Next");
  const opening = dict.lookup(PDFName.of("OpenAction"));
  if (opening instanceof PDFDict && !isMove(opening)) throw forbiddenContent("automatic actions");
  const base = textOf(dict.lookup(PDFName.of("Base")));
  if (base !== "" && !/^https?:/i.test(base))
    throw forbiddenContent(`links that start from "${shorten(base, 60)}"`);
  if (isAction(dict)) checkActionType(dict);
  if (name("Subtype") === "PS" || name("Subtype2") === "PS") throw forbiddenContent("a PostScript program");
  const annotation = activeAnnotations.get(name("Subtype") ?? "");
  const isAdmitted = admitsSignatures && isSignature(dict);
  if (annotation && !isAdmitted && (has("Rect") || name("Type") === "Annot"))
    throw forbiddenContent(annotation);
  const fields = has("AcroForm") ? dict.lookup(PDFName.of("AcroForm")) : undefined;
  if (fields instanceof PDFDict) checkForm(fields, admitsSignatures);
}

/** Returns whether a field is a signature. It may inherit its type from its parent (ISO 32000-1, 12.7.3.1). */
function isSignature(field: PDFDict): boolean {
  const parent = field.lookup(PDFName.of("Parent"));
  const type =
    field.lookup(PDFName.of("FT")) ?? (parent instanceof PDFDict && parent.lookup(PDFName.of("FT")));
  return type instanceof PDFName && type.decodeText() === "Sig";
}

/**
 * Checks an action, which is a dictionary or an array of dictionaries. Other arrays are destinations in the document.
 */
function checkAction(dict: PDFDict, key: string): void {
  const action = dict.lookup(PDFName.of(key));
  if (action instanceof PDFDict && action.has(PDFName.of("S"))) checkActionType(action);
  if (!(action instanceof PDFArray)) return;
  for (let i = 0; i < action.size(); i += 1) {
    const step = action.lookup(i);
    if (step instanceof PDFDict && step.has(PDFName.of("S"))) checkActionType(step);
  }
}

function isAction(dict: PDFDict): boolean {
  return nameOf(dict.lookup(PDFName.of("Type"))) === "Action";
}

function checkActionType(action: PDFDict): void {
  const type = nameOf(action.lookup(PDFName.of("S"))) ?? "unknown";
  if (type === "JavaScript") throw forbiddenContent("JavaScript");
  if (!harmlessActions.has(type)) throw forbiddenContent(`an action of the type ${type.slice(0, 30)}`);
  if (type !== "URI") return;
  const address = textOf(action.lookup(PDFName.of("URI")));
  if (!/^(?:https?|mailto|tel):/i.test(address) && !isRelative(address)) {
    throw forbiddenContent(`a link to "${shorten(address, 60)}", which is not a web page`);
  }
}

/**
 * Returns whether an address has no scheme, like "www.example.org" or "/verify?id=1". Viewers complete such an address,
 * or do nothing. Addresses of file servers are excluded.
 */
function isRelative(address: string): boolean {
  const seen = address.replace(/[\0-\x20]/g, "");
  return seen !== "" && !/^\/\/|\\|^[^/?#]*:/.test(seen);
}

/** Returns whether an action only shows another place of the document. */
function isMove(action: PDFObject | undefined): boolean {
  return (
    action instanceof PDFDict &&
    nameOf(action.lookup(PDFName.of("S"))) === "GoTo" &&
    !action.has(PDFName.of("Next"))
  );
}

function textOf(object: PDFObject | undefined): string {
  return object instanceof PDFString || object instanceof PDFHexString ? object.decodeText() : "";
}

function checkForm(form: PDFDict, admitsSignatures: boolean): void {
  const fields = form.lookup(PDFName.of("Fields"));
  if (!(fields instanceof PDFArray)) return;
  for (let i = 0; i < fields.size(); i += 1) {
    const field = fields.lookup(i);
    const isAdmitted = admitsSignatures && field instanceof PDFDict && isSignature(field);
    if (!isAdmitted) throw forbiddenContent("a form to fill in");
  }
}

function nameOf(object: PDFObject | undefined): string | undefined {
  return object instanceof PDFName ? object.decodeText() : undefined;
}

function forbiddenContent(what: string): Error {
  return invalid(`The PDF contains ${what}, which is not allowed in credentials. ${PRINT_VISIBLE}`);
}
