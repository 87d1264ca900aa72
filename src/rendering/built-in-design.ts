import { mix, parseColor, type Rgb, toHex } from "./color.js";
import { drawCentred } from "./draw-text.js";
import { fitText, type TextBlock } from "./fit-text.js";
import { uncovered } from "./font-coverage.js";
import type { CredentialFacts } from "./generator.js";
import { frameDepth, ornament, paper } from "./ornament.js";
import { drawQr, qrMatrix } from "./qr.js";
import type { TextStyle } from "./text-lines.js";
import { type Wording, wordingFor } from "./wording.js";

type Document = PDFKit.PDFDocument;

/** What may be changed about the built-in design. Colours are hex, `#` optional. */
export interface DesignOptions {
  readonly color: string;
  readonly accentColor: string;
}

interface Page {
  readonly doc: Document;
  readonly root: PDFKit.PDFStructureElement;
  readonly width: number;
  readonly height: number;
  readonly ink: Rgb;
  readonly accent: Rgb;
  readonly wording: Wording;
}

const title: TextStyle = { font: "medium", spacing: 0.012 };
const issuerStyle: TextStyle = { font: "medium", spacing: 0.1 };
const name: TextStyle = { font: "regular" };
const context: TextStyle = { font: "regular" };
const label: TextStyle = { font: "italic" };
const small: TextStyle = { font: "regular", spacing: 0.02 };
const date: TextStyle = { font: "regular", features: ["onum"] };

/**
 * Draws a credential on the one landscape page of a document made by `createDocument`: issuer and title above, name and
 * context in the middle, seal, date, signature line and QR code below.
 */
export function drawBuiltInDesign(doc: Document, facts: CredentialFacts, options: DesignOptions): void {
  const root = doc.struct("Document");
  doc.addStructure(root);
  const page: Page = {
    doc,
    root,
    width: doc.page.width,
    height: doc.page.height,
    ink: parseColor(options.color),
    accent: parseColor(options.accentColor),
    wording: wordingFor(facts.language),
  };
  drawOrnament(page);
  drawHeading(page, facts);
  drawAward(page, facts);
  drawDateAndSignature(page, facts);
  drawVerification(page, facts);
  root.end();
}

function corners(page: Page): { left: number; right: number; y: number } {
  const fromEdge = frameDepth + 84;
  return { left: fromEdge, right: page.width - fromEdge, y: page.height - frameDepth - 70 };
}

function drawOrnament(page: Page): void {
  const { doc, width, height } = page;
  const { left, y } = corners(page);
  const form = doc.ref({
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, width, height],
    Resources: {},
    Filter: "FlateDecode",
  });
  form.end(ornament({ width, height, seal: { x: left, y, radius: 46 } }, page.accent));
  doc.page.xobjects.Ornament = form;
  asDecoration(page, () => doc.addContent("/Ornament Do"));
}

function drawHeading(page: Page, facts: CredentialFacts): void {
  const { width } = page;
  const issuer = fitText(capitals(facts.platformName, facts.language), issuerStyle, {
    width: width - 2 * frameDepth - 160,
    height: 26,
    size: 13.5,
    minSize: 8,
    maxLines: 1,
  });
  centred(page, issuer, { x: width / 2, baseline: 89, color: page.accent });
  asDecoration(page, () => drawDivider(page, 106, 92));
  const heading = fitText(facts.credentialType, title, {
    width: width - 2 * frameDepth - 90,
    height: 62,
    size: 43,
    minSize: 26,
    maxLines: 2,
  });
  const top = 122;
  centred(page, heading, {
    x: width / 2,
    baseline: top + (62 - heading.height) / 2 + heading.ascent,
    color: page.ink,
    tag: "H1",
  });
}

/** By the rules of the language (Turkish has a dotted I); as it stands where the fonts lack the capitals. */
function capitals(text: string, language: string): string {
  const upper = text.toLocaleUpperCase(language);
  return uncovered(upper).length === 0 ? upper : text;
}

/** Name and context, with what joins them, spread over the middle of the page. */
function drawAward(page: Page, facts: CredentialFacts): void {
  const { width, height, wording } = page;
  const muted = mix(page.ink, paper, 0.32);
  const room = width - 2 * frameDepth;
  const word = (text: string) =>
    fitText(text, label, { width: room, height: 20, size: 17, minSize: 10, maxLines: 1 });
  const holder = fitText(facts.userFullName, name, {
    width: room - 70,
    height: 82,
    size: 56,
    minSize: 30,
    maxLines: 3,
  });
  const subject = fitText(facts.learningContextName, context, {
    width: room - 120,
    height: 80,
    size: 29,
    minSize: 21,
    maxLines: 3,
  });
  const stack = [
    { block: word(wording.awardedTo), color: muted, above: 0, language: wording.language },
    { block: holder, color: page.ink, above: 18 },
    { block: word(wording.for), color: muted, above: 17, language: wording.language },
    { block: subject, color: page.ink, above: 14 },
  ];
  const top = 196;
  const bottom = height - frameDepth - 134;
  const free = bottom - top - stack.reduce((used, { block, above }) => used + above + block.height, 0);
  const looser = Math.min(12, Math.max(0, free / 5));
  let y = top + (free - 3 * looser) * 0.4;
  for (const { block, color, above, language } of stack) {
    y += above === 0 ? 0 : above + looser;
    centred(page, block, { x: width / 2, baseline: y + block.ascent, color, language });
    y += block.height;
  }
}

function drawDateAndSignature(page: Page, facts: CredentialFacts): void {
  const { doc, width, height, wording } = page;
  const line = 168;
  const centre = { date: width / 2 - line / 2 - 20, signature: width / 2 + line / 2 + 20 };
  const y = height - frameDepth - 86;
  asDecoration(page, () => {
    doc.lineWidth(0.5).strokeColor(toHex(mix(page.ink, paper, 0.35)));
    for (const x of [centre.date, centre.signature])
      doc
        .moveTo(x - line / 2, y)
        .lineTo(x + line / 2, y)
        .stroke();
  });
  const room = { width: line - 8, height: 24, size: 15, minSize: 8, maxLines: 1 };
  const muted = mix(page.ink, paper, 0.32);
  centred(page, fitText(facts.issueDate, date, room), { x: centre.date, baseline: y - 7, color: page.ink });
  for (const [text, x] of [
    [wording.dateOfIssue, centre.date],
    [wording.signature, centre.signature],
  ] as const) {
    const block = fitText(text, label, { ...room, size: 11.5 });
    centred(page, block, { x, baseline: y + 14, color: muted, language: wording.language });
  }
}

function drawVerification(page: Page, facts: CredentialFacts): void {
  const { doc, width, height, wording } = page;
  const { left, right, y } = corners(page);
  const muted = mix(page.ink, paper, 0.2);
  const room = { width: right - left - 130, height: 18, size: 8.6, minSize: 6, maxLines: 2 };
  const bottom = height - frameDepth - 27;

  const identifier = fitText(`${wording.identifier} ${facts.verifyUuid}`, small, room);
  const address = fitText(`${wording.verifyAt} ${facts.verifyUrl}`, small, room);
  const baseline = bottom - address.height + address.ascent - 9;
  const box = { x: (width - address.width) / 2, y: baseline - address.ascent - 2, width: address.width };
  linked(page, facts.verifyUrl, { ...box, height: address.height + 4 }, (link) =>
    link.add(() => paint(page, address, { x: width / 2, baseline, color: muted })),
  );
  centred(page, identifier, { x: width / 2, baseline: bottom + 6, color: muted });

  const side = 74;
  const code = { x: right - side / 2, y: y - side / 2, width: side, height: side };
  linked(page, facts.verifyUrl, code, (link) => {
    const bbox: [number, number, number, number] = [code.x, code.y, code.x + side, code.y + side];
    const figure = doc.struct(
      "Figure",
      { alt: facts.verifyUrl, bbox } as PDFKit.Mixins.StructureElementOptions,
      () => {
        doc.fillColor(toHex(page.ink));
        drawQr(doc, qrMatrix(facts.verifyUrl), code.x, code.y, side);
      },
    );
    link.add(figure);
  });
}

interface Placement {
  readonly x: number;
  /** Of the first line. */
  readonly baseline: number;
  readonly color: Rgb;
  /** Structure type; a paragraph when absent. */
  readonly tag?: string;
  /** BCP 47 tag where it is not the document's. */
  readonly language?: string | undefined;
}

function centred(page: Page, block: TextBlock, placement: Placement): void {
  const { tag = "P", language } = placement;
  const options = {
    ...(language === undefined ? {} : { lang: language }),
    ...(block.rightToLeft ? { actual: block.text } : {}),
  };
  page.root.add(page.doc.struct(tag, options, () => paint(page, block, placement)));
}

function paint(page: Page, block: TextBlock, { x, baseline, color }: Placement): void {
  page.doc.fillColor(toHex(color));
  drawCentred(page.doc, block, x, baseline);
}

/** Draws something in a structure element that is a link, sensitive over a box. */
function linked(
  { doc, root }: Page,
  url: string,
  box: { x: number; y: number; width: number; height: number },
  draw: (link: PDFKit.PDFStructureElement) => void,
): void {
  const link = doc.struct("Link");
  root.add(link);
  draw(link);
  const options = { structParent: link, Contents: new String(url) };
  doc.link(box.x, box.y, box.width, box.height, url, options as object);
  link.end();
}

/** Marks what is drawn as decoration, which screen readers pass over. */
function asDecoration({ doc }: Page, draw: () => void): void {
  doc.markContent("Artifact", { type: "Layout" });
  draw();
  doc.endMarkedContent();
}

/** A rule with a lozenge in its middle. */
function drawDivider({ doc, width, accent }: Page, y: number, half: number): void {
  const x = width / 2;
  doc.fillColor(toHex(accent)).strokeColor(toHex(accent)).lineWidth(0.6);
  for (const side of [-1, 1]) {
    doc
      .moveTo(x + side * 10, y)
      .lineTo(x + side * half, y)
      .stroke();
  }
  doc
    .moveTo(x - 4, y)
    .lineTo(x, y - 4)
    .lineTo(x + 4, y)
    .lineTo(x, y + 4)
    .fill();
}
