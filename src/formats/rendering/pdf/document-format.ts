import { deflateSync } from "node:zlib";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { groupBy } from "#foundation/group-by.js";
import type { SealSlot } from "../generator.js";
import type { Face } from "../text/fonts.js";
import type { TextRun } from "../text/text-lines.js";
import { type Attachment, associatedFile } from "./attachment.js";
import { type DocumentMetadata, informationOf, xmpOf } from "./document-metadata.js";
import { deflated, distinctGlyphs, type EmbeddedFont, embedFont } from "./embedded-font.js";
import { createEncryption } from "./encryption.js";
import { boxOf, type Figure, type Mark, type Resource, type TextMark } from "./marks.js";
import { type Paper, rectangle } from "./paper.js";
import { beginFile, endFile } from "./pdf-file.js";
import { inlineText, type PdfDictionary, PdfObject, pdfNumber, pdfText } from "./pdf-object.js";
import { sealField } from "./seal-field.js";
import { srgbProfile } from "./srgb-profile.js";
import { createStructure, type Structure, structureAttributes } from "./structure.js";
import { textOperators, type UsedFont } from "./text-operators.js";

interface DocumentFormat {
  /** True for PDF/A-3b. */
  readonly archival: boolean;
  /** @param pages the marks of each page; the seal's field is on the first page */
  write(pages: readonly (readonly Mark[])[], content: DocumentContent): Uint8Array;
}

interface DocumentContent {
  readonly metadata: Omit<DocumentMetadata, "archival">;
  /** Seed for the file identifier. */
  readonly seed: string;
  /** An embedded file with the same contents as the document. */
  readonly attachment: Attachment | undefined;
  /** The space to reserve for a seal. */
  readonly seal: SealSlot | undefined;
}

interface FormatOptions {
  readonly paper: Paper;
  /** Font subsets with the most common glyphs, for texts of individual credentials. */
  readonly common: ReadonlyMap<Face, EmbeddedFont>;
  /** Objects that all documents of the design contain. */
  readonly shared: readonly PdfObject[];
  readonly encrypt: boolean;
}

const profile = deflated(srgbProfile(), { N: 3 });
const srgb = ["/ICCBased", profile];
const outputIntent = new PdfObject({
  Type: "/OutputIntent",
  S: "/GTS_PDFA1",
  OutputConditionIdentifier: pdfText("sRGB"),
  Info: pdfText("sRGB IEC61966-2.1"),
  DestOutputProfile: profile,
});
/**
 * Settings for page content of a few KB. Allocating zlib's default window would take longer than compressing the
 * content.
 */
const DEFLATE_OPTIONS = { level: 5, windowBits: 13, memLevel: 6 };
const exactSubsets = createBoundedCache<EmbeddedFont>(200);

/**
 * Writes the parts that all documents of a design share, once. Each document then adds its texts, its structure, and
 * font subsets for uncommon glyphs only.
 */
export function createDocumentFormat({ paper, common, shared, encrypt }: FormatOptions): DocumentFormat {
  const sharedObjects = [
    outputIntent,
    ...shared,
    ...(paper.background ? [paper.background.object] : []),
    ...[...common.values()].map(({ object }) => object),
  ];
  const plainBeginning = encrypt ? undefined : beginFile(sharedObjects);
  const archival = paper.archival && !encrypt && !sharedObjects.some(isForInk);

  return {
    archival,
    write(pagesOfMarks, { metadata: described, seed, attachment, seal: slot }) {
      const metadata = { ...described, archival };
      const structure = createStructure();
      const fonts = fontsOf(pagesOfMarks.flat(), common);
      const pages = new PdfObject();
      const kids = pagesOfMarks.map(() => new PdfObject());
      const seal = slot && kids[0] && sealField(slot, kids[0]);
      for (const [index, marks] of pagesOfMarks.entries()) {
        const page = kids[index] as PdfObject;
        const { number, annotations } = structure.beginPage(page);
        const content = contentOf(marks, { paper, structure, fontOf: fonts.fontOf });
        page.value = {
          Type: "/Page",
          Parent: pages,
          ...paper.entries,
          Contents: new PdfObject({ Filter: "/FlateDecode" }, deflateSync(content, DEFLATE_OPTIONS)),
          Resources: resourcesOf(marks, paper, fonts.objects),
          Annots: [...paper.annotations, ...annotations, ...(seal && index === 0 ? [seal.field] : [])],
          StructParents: number,
          Tabs: "/S",
        };
      }
      pages.value = { Type: "/Pages", Kids: kids, Count: kids.length };
      const root = new PdfObject({
        Type: "/Catalog",
        Pages: pages,
        Lang: pdfText(metadata.language),
        MarkInfo: { Marked: true },
        StructTreeRoot: structure.finish(),
        ViewerPreferences: { DisplayDocTitle: true },
        Metadata: new PdfObject({ Type: "/Metadata", Subtype: "/XML" }, xmpOf(metadata)),
        OutputIntents: [outputIntent],
        ...paper.catalogEntries,
        ...(attachment && associatedFile(attachment)),
        ...seal?.catalogEntries,
      });
      const info = new PdfObject(informationOf(metadata));
      const trailer = { root, info, seed, signaturePlaceholder: seal?.signaturePlaceholder };
      if (plainBeginning) return endFile(plainBeginning, trailer);
      const encryption = createEncryption();
      return endFile(beginFile(sharedObjects, encryption), trailer, encryption);
    },
  };
}

/** Returns whether an image is in CMYK, which an sRGB profile can't describe. */
function isForInk({ value }: PdfObject): boolean {
  return (value as PdfDictionary).ColorSpace === "/DeviceCMYK";
}

/** Returns the common subsets, and additional subsets for runs that need other glyphs. */
function fontsOf(marks: readonly Mark[], common: ReadonlyMap<Face, EmbeddedFont>) {
  const runs = marks.flatMap((mark) =>
    mark.kind === "text" ? mark.block.lines.flatMap((line) => line.runs) : [],
  );
  const fonts = new Map<TextRun, EmbeddedFont>();
  const others: TextRun[] = [];
  for (const run of runs) {
    const font = common.get(run.face);
    if (font && run.glyphs.every((glyph) => font.codeOf(glyph) !== undefined)) fonts.set(run, font);
    else others.push(run);
  }
  for (const [face, uncovered] of groupBy(others, (run) => run.face)) {
    const font = exactSubset(face, uncovered);
    for (const run of uncovered) fonts.set(run, font);
  }
  const used = new Map<EmbeddedFont, UsedFont>();
  const objects: Record<string, PdfObject> = {};
  for (const font of fonts.values()) {
    if (used.has(font)) continue;
    const name = `F${used.size + 1}`;
    used.set(font, { name, codeOf: font.codeOf });
    objects[name] = font.object;
  }
  const fontOf = (run: TextRun): UsedFont => {
    const font = fonts.get(run);
    const usedFont = font && used.get(font);
    if (!usedFont) throw new Error(`No font was embedded for a run in ${run.face.name}.`);
    return usedFont;
  };
  return { fontOf, objects };
}

// Runs are cached with their texts, so most runs recur.
const glyphKeys = new WeakMap<TextRun, string>();

function exactSubset(face: Face, runs: readonly TextRun[]): EmbeddedFont {
  const keys = runs.map((run) => {
    const key = glyphKeys.get(run) ?? [...distinctGlyphs(run.glyphs).keys()].sort().join(";");
    glyphKeys.set(run, key);
    return key;
  });
  return exactSubsets(`${face.name} ${keys.join(" ")}`, () =>
    embedFont(
      face.font,
      runs.flatMap((run) => run.glyphs),
    ),
  );
}

interface Writing {
  readonly paper: Paper;
  readonly structure: Structure;
  fontOf(run: TextRun): UsedFont;
}

/** Returns the content stream of a page, and adds each mark to the structure. */
function contentOf(marks: readonly Mark[], writing: Writing): string {
  const { paper } = writing;
  const parts: string[] = [];
  if (paper.background) {
    const placed = paper.backgroundMatrix ? `${paper.backgroundMatrix.map(pdfNumber).join(" ")} cm ` : "";
    parts.push(artifact(`${placed}/${paper.background.name} Do`));
  }
  if (paper.matrix.join() !== "1,0,0,1,0,0") parts.push(`${paper.matrix.map(pdfNumber).join(" ")} cm`);
  for (const mark of marks) parts.push(markContent(mark, writing));
  return parts.join("\n");
}

function markContent(mark: Mark, writing: Writing): string {
  if (mark.kind === "decoration") return artifact(mark.operators);
  const operators = mark.kind === "text" ? textContent(mark, writing) : `q\n${mark.operators}\nQ`;
  const { tag, attributes } = mark.kind === "text" ? textElement(mark) : figureElement(mark, writing.paper);
  const number = writing.structure.content(tag, attributes, mark.link);
  if (mark.link !== undefined) addLink(mark, mark.link, writing);
  return `/${tag} <</MCID ${number}>> BDC\n${operators}\nEMC`;
}

/**
 * Adds the text itself to the glyphs, for copying and searching. Otherwise, Indic vowels and stacked marks would be
 * copied in drawing order.
 *
 * Right-to-left text is only in the structure tree. In the content, no order suits all viewers: poppler would reverse
 * the text once more and pdf.js wouldn't.
 */
function textContent(mark: TextMark, { fontOf }: Writing): string {
  const fonts = mark.block.lines.flatMap((line) => line.runs.map(fontOf));
  const last = written.get(mark);
  const isSame = last?.fonts.every(
    ({ name, codeOf }, index) => name === fonts[index]?.name && codeOf === fonts[index].codeOf,
  );
  if (last && isSame) return last.content;
  const operators = textOperators(mark, fontOf);
  const content = mark.block.rightToLeft
    ? operators
    : `/Span <</ActualText ${inlineText(mark.block.text)}>> BDC\n${operators}\nEMC`;
  written.set(mark, { fonts, content });
  return content;
}

/** The content last written for each mark. It is reused, because many documents have the same marks, such as dates. */
const written = new WeakMap<TextMark, { fonts: readonly UsedFont[]; content: string }>();

function textElement({ block, language, tag }: TextMark): { tag: string; attributes: PdfDictionary } {
  const actual = block.rightToLeft ? { actual: block.text } : {};
  return {
    tag: tag ?? "P",
    attributes: structureAttributes({ ...actual, ...(language === undefined ? {} : { language }) }),
  };
}

function figureElement(figure: Figure, { matrix }: Paper): { tag: string; attributes: PdfDictionary } {
  const layout = { O: "/Layout", Placement: "/Block", BBox: rectangle(figure.box, matrix) };
  return { tag: "Figure", attributes: { ...structureAttributes({ alt: figure.alt }), A: layout } };
}

function addLink(mark: TextMark | Figure, url: string, { paper, structure }: Writing): void {
  const box = mark.kind === "text" ? boxOf(mark) : mark.box;
  structure.annotate(url, (structParent) => ({
    Type: "/Annot",
    Subtype: "/Link",
    Rect: rectangle(box, paper.matrix),
    Border: [0, 0, 0],
    F: 4, // annotation flag "Print", which PDF/A requires
    Contents: pdfText(url),
    StructParent: structParent,
    A: { Type: "/Action", S: "/URI", URI: pdfText(url) },
  }));
}

function artifact(operators: string): string {
  return `/Artifact <</Type /Layout>> BDC\nq\n${operators}\nQ\nEMC`;
}

function resourcesOf(
  marks: readonly Mark[],
  paper: Paper,
  fonts: Readonly<Record<string, PdfObject>>,
): PdfDictionary {
  const named: Record<Resource["category"], Record<string, PdfObject>> = { XObject: {}, ExtGState: {} };
  const resources = marks.flatMap((mark) => (mark.kind === "text" ? [] : (mark.resources ?? [])));
  for (const { category, name, object } of [...(paper.background ? [paper.background] : []), ...resources]) {
    named[category][name] = object;
  }
  return { Font: fonts, ...named, ColorSpace: { DefaultRGB: srgb } };
}
