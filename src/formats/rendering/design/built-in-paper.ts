import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { mix, type Rgb } from "../pdf/color.js";
import { importPage } from "../pdf/import-page.js";
import type { PageSize } from "../pdf/marks.js";
import type { Paper } from "../pdf/paper.js";
import { type SealWords, sealWords } from "./seal-words.js";
import { sineWave } from "./shapes.js";

/** The positions of the built-in design's parts, in points from the bottom left corner. */
interface PaperLayout extends PageSize {
  readonly seal: { readonly x: number; readonly y: number; readonly radius: number };
  readonly sealWords: SealWords;
  readonly rosettes: "centre" | "sides";
  /** Line under the issuer's name; `half` is half its width. */
  readonly divider: { readonly y: number; readonly half: number };
  /** Lines under texts; `x` is the middle. */
  readonly rules: readonly { readonly x: number; readonly y: number; readonly length: number }[];
  readonly accent: Rgb;
  readonly ink: Rgb;
}

type Drawing = PDFKit.PDFDocument;

/** Slightly warmer than white. */
export const paperColor: Rgb = [1, 0.996, 0.984];

const inset = 22; // from the page's edge to the frame, in points
const band = 19; // width of the guilloche band in the frame, in points

/** Distance from the page's edge to the innermost line of the frame, in points. */
export const frameDepth = inset + band + 7;

const papers = createBoundedCache<Promise<Paper>>(100);
/** PDF operators of papers, without the lines under texts, because those lines move with the texts. */
const artworks = createBoundedCache<Promise<string>>(20);

/**
 * Returns the artwork that all credentials of a design share. The artwork is drawn once and then imported like a
 * template.
 */
export function builtInPaper(layout: PaperLayout): Promise<Paper> {
  const { sealWords: words, rules, ...rest } = layout;
  const artwork = JSON.stringify([rest, keyOf(words)]);
  return papers(`${JSON.stringify(rules)} ${artwork}`, async () => {
    const drawing = emptyDrawing(layout);
    drawing.addContent(await artworks(artwork, () => operatorsOf(layout)));
    underline(drawing, layout);
    drawing.end();
    const paper = await importPage(await buffer(drawing));
    return { ...paper, archival: true }; // the artwork consists only of paths in RGB
  });
}

function emptyDrawing({ width, height }: PageSize, compress = true): Drawing {
  return new PDFDocument({ size: [width, height], margin: 0, font: "", compress });
}

/** Returns a page's operators without the first operator, with which pdfkit flips the y axis. */
async function operatorsOf(layout: PaperLayout): Promise<string> {
  const drawing = emptyDrawing(layout, false);
  draw(drawing, layout);
  drawing.end();
  const { background } = await importPage(await buffer(drawing));
  const operators = Buffer.from(background?.object.data ?? []).toString("latin1");
  return operators.slice(operators.indexOf("\n") + 1).trimEnd();
}

/** Draws the artwork. Repeats a few curves with different matrices, so that a few KB describe thousands of curves. */
function draw(drawing: Drawing, layout: PaperLayout): void {
  const { width, height, seal: sealed, accent } = layout;
  drawing.rect(0, 0, width, height).fill(color(paperColor));
  watermark(drawing, layout);
  frame(drawing, layout);
  drawing.save().translate(sealed.x, height - sealed.y);
  seal(drawing, sealed.radius, accent, sealWords(layout.sealWords, sealed.radius));
  drawing.restore();
  divider(drawing, layout);
}

function underline(drawing: Drawing, layout: PaperLayout): void {
  drawing.lineWidth(0.5).strokeColor(color(mix(layout.ink, paperColor, 0.35)));
  for (const { x, y, length } of layout.rules) {
    const [left, right, top] = [x - length / 2, x + length / 2, layout.height - y];
    drawing.moveTo(left, top).lineTo(right, top).stroke();
  }
}

/** Draws only a seal, in a square of this size. */
export function sealPaper(
  size: number,
  look: keyof typeof seals,
  words: SealWords,
  accent: Rgb,
): Promise<Paper> {
  const key = JSON.stringify([size, look, accent, keyOf(words)]);
  return papers(key, async () => {
    const drawing = emptyDrawing({ width: size, height: size });
    drawing.translate(size / 2, size / 2);
    seals[look](drawing, size / 2, accent, sealWords(words, size / 2));
    drawing.end();
    return importPage(await buffer(drawing));
  });
}

function keyOf({ text, style, keepsUpright }: SealWords): unknown {
  return [text, keepsUpright, style.fonts.map(({ name }) => name)];
}

function divider(drawing: Drawing, { width, height, divider: { y, half }, accent }: PaperLayout): void {
  drawing.save().translate(width / 2, height - y);
  for (const side of [-1, 1]) drawing.moveTo(side * 10, 0).lineTo(side * half, 0);
  drawing.lineWidth(0.6).stroke(color(accent));
  drawing.polygon([-4, 0], [0, 4], [4, 0], [0, -4]).fill(color(accent));
  drawing.restore();
}

/** Draws a faint rosette behind the name, or two at the sides of the page. */
function watermark(drawing: Drawing, { width, height, accent, rosettes }: PaperLayout): void {
  const isCentred = rosettes === "centre";
  drawing
    .save()
    .rect(frameDepth, frameDepth, width - 2 * frameDepth, height - 2 * frameDepth)
    .clip()
    .strokeColor(color(mix(accent, paperColor, isCentred ? 0.88 : 0.8)))
    .lineWidth(0.3);
  const size = Math.min(height, width * 0.72) * (isCentred ? 1.5 : 1);
  for (const x of isCentred ? [width / 2] : [frameDepth, width - frameDepth]) {
    drawing.save().translate(x, height * 0.45);
    rosette(drawing, { long: size * 0.22, short: size * 0.115, turns: 36 });
    rosette(drawing, { long: size * 0.115, short: size * 0.05, turns: 30 });
    rosette(drawing, { long: size * 0.05, short: size * 0.02, turns: 18 });
    drawing.restore();
  }
  drawing.restore();
}

/** Draws ellipses rotated about the origin. Their envelope is a ring of petals. */
function rosette(drawing: Drawing, { long, short, turns }: { long: number; short: number; turns: number }) {
  drawing.save();
  for (let turn = 0; turn < turns; turn++)
    drawing
      .ellipse(0, 0, long, short)
      .stroke()
      .rotate(180 / turns);
  drawing.restore();
}

function frame(drawing: Drawing, { width, height, accent }: PaperLayout): void {
  const line = (distance: number, weight: number) =>
    drawing
      .lineWidth(weight)
      .rect(distance, distance, width - 2 * distance, height - 2 * distance)
      .stroke();

  drawing.strokeColor(color(mix(accent, paperColor, 0.25))).lineWidth(0.32);
  const long = width - 2 * (inset + band);
  const short = height - 2 * (inset + band);
  const middle = inset + band / 2;
  guilloche(drawing, { x: inset + band, y: middle, angle: 0, length: long });
  guilloche(drawing, { x: inset + band, y: height - middle, angle: 0, length: long });
  guilloche(drawing, { x: middle, y: inset + band, angle: 90, length: short });
  guilloche(drawing, { x: width - middle, y: inset + band, angle: 90, length: short });

  drawing.strokeColor(color(accent));
  line(inset - 4, 0.35);
  line(inset, 1.1);
  line(inset + band, 0.7);
  line(frameDepth - 2.5, 0.3);
  for (const x of [middle, width - middle]) {
    for (const y of [middle, height - middle]) {
      drawing.save().translate(x, y);
      corner(drawing, accent);
      drawing.restore();
    }
  }
}

/** Draws a symmetrical braid of sine waves along one side of the frame, clipped to that side. */
function guilloche(
  drawing: Drawing,
  { x, y, angle, length }: { x: number; y: number; angle: number; length: number },
): void {
  const periods = Math.round(length / 38);
  const period = length / periods;
  const strands = 6;
  drawing
    .save()
    .translate(x, y)
    .rotate(angle)
    .rect(0, -band / 2, length, band)
    .clip()
    .translate(-period, 0);
  for (let index = 0; index <= periods; index++) {
    for (let strand = 0; strand < strands; strand++) {
      const start = ((strand + 0.5) / strands) * period;
      for (const share of [0.43, -0.43, 0.16, -0.16]) {
        drawing.moveTo(start, 0);
        for (const curve of sineWave(start, period, band * share)) drawing.bezierCurveTo(...curve);
      }
    }
    drawing.stroke().translate(period, 0);
  }
  drawing.restore();
}

function corner(drawing: Drawing, accent: Rgb): void {
  const half = band / 2;
  drawing.lineWidth(0.7).rect(-half, -half, band, band).fillAndStroke(color(paperColor), color(accent));
  drawing.lineWidth(0.3);
  rosette(drawing, { long: half * 0.88, short: half * 0.42, turns: 10 });
  drawing.circle(0, 0, 1.5).fill(color(accent));
}

/** Draws a scalloped disc about the origin, with the words in a ring and a rosette with a star inside. */
function seal(drawing: Drawing, radius: number, accent: Rgb, words: string): void {
  const dark = mix(accent, [0, 0, 0], 0.12);
  const light = mix(accent, paperColor, 0.75);
  const disc = (share: number) => drawing.circle(0, 0, radius * share);
  const star = (points: number, outer: number, inner: number) =>
    drawing.polygon(...starPoints(points, radius * outer, radius * inner));

  star(72, 1, 0.96).fill(color(dark));
  disc(0.915).lineWidth(0.5).stroke(color(paperColor));
  disc(0.885).fill(color(accent));
  writeWords(drawing, words, paperColor);

  disc(innerRing).lineWidth(0.5).stroke(color(paperColor));
  drawing.strokeColor(color(light)).lineWidth(0.25);
  rosette(drawing, { long: radius * (innerRing - 0.02), short: radius * 0.36, turns: 30 });
  disc(0.3).fill(color(accent));
  star(8, 0.4, 0.1).fill(color(light));
  drawing.rotate(180 / 8);
  star(8, 0.34, 0.12).fill(color(paperColor));
  disc(0.085).fill(color(accent));
  disc(0.047).fill(color(paperColor));
}

/** Draws a seal in outline only: words between two rings, and a rosette. */
function ringSeal(drawing: Drawing, radius: number, accent: Rgb, words: string): void {
  const disc = (share: number, weight: number) =>
    drawing
      .circle(0, 0, radius * share)
      .lineWidth(weight)
      .stroke(color(accent));
  disc(0.985, radius * 0.022);
  disc(0.93, radius * 0.008);
  writeWords(drawing, words, accent);
  disc(innerRing, radius * 0.008);
  drawing.strokeColor(color(accent)).lineWidth(radius * 0.006);
  rosette(drawing, { long: radius * (innerRing - 0.05), short: radius * 0.2, turns: 18 });
  drawing.polygon(...starPoints(8, radius * 0.2, radius * 0.07)).fill(color(accent));
}

/** Draws a seal with a beaded edge, and a star in a laurel wreath. */
function wreathSeal(drawing: Drawing, radius: number, accent: Rgb, words: string): void {
  const beads = 84;
  for (let bead = 0; bead < beads; bead++) {
    const angle = (bead * 2 * Math.PI) / beads;
    const [x, y] = [radius * 0.97 * Math.sin(angle), radius * 0.97 * Math.cos(angle)];
    drawing.circle(x, y, radius * 0.02);
  }
  drawing.fill(color(accent));
  drawing
    .circle(0, 0, radius * 0.92)
    .lineWidth(radius * 0.014)
    .stroke(color(accent));
  writeWords(drawing, words, accent);
  branch(drawing, radius, accent);
  drawing.save().scale(-1, 1);
  branch(drawing, radius, accent);
  drawing.restore();
  drawing.polygon(...starPoints(5, radius * 0.2, radius * 0.078)).fill(color(accent));
}

/** Draws the right half of a wreath: a stem from the bottom upwards, with leaves at both sides. */
function branch(drawing: Drawing, radius: number, accent: Rgb): void {
  const [middle, length, width] = [radius * 0.4, radius * 0.155, radius * 0.055];
  drawing
    .moveTo(0, middle)
    .bezierCurveTo(middle * 0.56, middle, middle, middle * 0.55, middle, 0)
    .bezierCurveTo(middle, -middle * 0.36, middle * 0.83, -middle * 0.66, middle * 0.6, -middle * 0.86)
    .lineWidth(radius * 0.012)
    .stroke(color(accent));
  for (let leaf = 0; leaf < 8; leaf++) {
    const degrees = 166 - leaf * 17.5; // clockwise from the top
    const angle = (degrees * Math.PI) / 180;
    drawing.save().translate(middle * Math.sin(angle), -middle * Math.cos(angle));
    for (const side of [-34, 34]) {
      drawing
        .save()
        .rotate(degrees + 180 + side)
        .moveTo(0, 0)
        .bezierCurveTo(length * 0.3, -width, length * 0.7, -width, length, 0)
        .bezierCurveTo(length * 0.7, width, length * 0.3, width, 0, 0)
        .fill(color(accent))
        .restore();
    }
    drawing.restore();
  }
}

const seals = { engraved: seal, ring: ringSeal, wreath: wreathSeal } as const;

function writeWords(drawing: Drawing, words: string, fill: Rgb): void {
  if (words === "") return;
  drawing.save().scale(1, -1).fillColor(color(fill)).addContent(words); // pdfkit's y axis points down
  drawing.restore();
}

/** Where the ring of words ends and the rosette begins, as a share of the seal's radius. */
const innerRing = 0.57;

/** Returns points that alternate between tips at `outer` and hollows at `inner`. */
function starPoints(points: number, outer: number, inner: number): [number, number][] {
  return Array.from({ length: 2 * points }, (_, index) => {
    const radius = index % 2 === 0 ? outer : inner;
    const angle = (index * Math.PI) / points;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
}

/** Returns the colour in pdfkit's range of 0 to 255. */
function color(rgb: Rgb): [number, number, number] {
  return [rgb[0] * 255, rgb[1] * 255, rgb[2] * 255];
}
