import { mix, type Rgb } from "./color.js";
import { ContentStream } from "./content-stream.js";
import { createMemo } from "./memo.js";
import { deflated } from "./pdf/embedded-font.js";
import type { PdfObject } from "./pdf/pdf-object.js";

/** Where the decoration of the built-in design goes, in points from the top left corner. */
export interface OrnamentLayout {
  readonly width: number;
  readonly height: number;
  readonly seal: { readonly x: number; readonly y: number; readonly radius: number };
}

/** The paper of the built-in design: a trace warmer than white. */
export const paper: Rgb = [1, 0.996, 0.984];

const inset = 22; // from the page to the frame
const band = 19; // the guilloche band of the frame

const drawn = createMemo<PdfObject>(100);

/** Distance from the page's edge to the innermost line of the frame. */
export const frameDepth = inset + band + 7;

/** Paper, frame, watermark and seal as a form: curves repeat under changed matrices, so a few KB hold thousands of them. */
export function ornament(layout: OrnamentLayout, accent: Rgb): PdfObject {
  return drawn(JSON.stringify([layout, accent]), () => drawOrnament(layout, accent));
}

function drawOrnament(layout: OrnamentLayout, accent: Rgb): PdfObject {
  const stream = new ContentStream();
  stream.fillColor(paper).rect(0, 0, layout.width, layout.height).fill();
  watermark(stream, layout, mix(accent, paper, 0.8));
  frame(stream, layout, accent);
  seal(stream, layout, accent);
  return deflated(Buffer.from(stream.toString()), {
    Type: "/XObject",
    Subtype: "/Form",
    BBox: `[0 0 ${layout.width} ${layout.height}]`,
    Matrix: `[1 0 0 -1 0 ${layout.height}]`,
    Resources: "<<>>",
  });
}

/** Two faint rosettes that rise from the sides, clear of the middle. */
function watermark(stream: ContentStream, { width, height }: OrnamentLayout, color: Rgb): void {
  stream
    .save()
    .rect(frameDepth, frameDepth, width - 2 * frameDepth, height - 2 * frameDepth)
    .clip();
  stream.strokeColor(color).lineWidth(0.3);
  for (const x of [frameDepth, width - frameDepth]) {
    const y = height * 0.45;
    const size = Math.min(height, width * 0.72);
    rosette(stream, { x, y, long: size * 0.22, short: size * 0.115, turns: 36 });
    rosette(stream, { x, y, long: size * 0.115, short: size * 0.05, turns: 30 });
    rosette(stream, { x, y, long: size * 0.05, short: size * 0.02, turns: 18 });
  }
  stream.restore();
}

/** Ellipses turned about their centre: the envelope is a ring of petals. */
function rosette(
  stream: ContentStream,
  { x, y, long, short, turns }: { x: number; y: number; long: number; short: number; turns: number },
): void {
  stream.save().translate(x, y);
  for (let turn = 0; turn < turns; turn++)
    stream
      .ellipse(long, short)
      .stroke()
      .rotate(Math.PI / turns);
  stream.restore();
}

function frame(stream: ContentStream, { width, height }: OrnamentLayout, accent: Rgb): void {
  const line = (distance: number, weight: number) =>
    stream
      .lineWidth(weight)
      .rect(distance, distance, width - 2 * distance, height - 2 * distance)
      .stroke();

  stream.strokeColor(mix(accent, paper, 0.25)).lineWidth(0.32);
  const long = width - 2 * (inset + band);
  const short = height - 2 * (inset + band);
  const middle = inset + band / 2;
  guilloche(stream, { x: inset + band, y: middle, angle: 0, length: long });
  guilloche(stream, { x: inset + band, y: height - middle, angle: 0, length: long });
  guilloche(stream, { x: middle, y: inset + band, angle: Math.PI / 2, length: short });
  guilloche(stream, { x: width - middle, y: inset + band, angle: Math.PI / 2, length: short });

  stream.strokeColor(accent);
  line(inset - 4, 0.35);
  line(inset, 1.1);
  line(inset + band, 0.7);
  line(frameDepth - 2.5, 0.3);
  for (const x of [middle, width - middle])
    for (const y of [middle, height - middle]) corner(stream, x, y, accent);
}

/** A braid of sine waves along one side of the frame, clipped to it; the same from either end. */
function guilloche(
  stream: ContentStream,
  { x, y, angle, length }: { x: number; y: number; angle: number; length: number },
): void {
  const periods = Math.round(length / 38);
  const period = length / periods;
  const strands = 6;
  stream
    .save()
    .translate(x, y)
    .rotate(angle)
    .rect(0, -band / 2, length, band)
    .clip()
    .translate(-period, 0);
  for (let index = 0; index <= periods; index++) {
    for (let strand = 0; strand < strands; strand++) {
      const start = ((strand + 0.5) / strands) * period;
      stream.wave(start, period, band * 0.43).wave(start, period, band * -0.43);
      stream.wave(start, period, band * 0.16).wave(start, period, band * -0.16);
    }
    stream.stroke().translate(period, 0);
  }
  stream.restore();
}

function corner(stream: ContentStream, x: number, y: number, accent: Rgb): void {
  const half = band / 2;
  stream.fillColor(paper).strokeColor(accent).lineWidth(0.7);
  stream.rect(x - half, y - half, band, band).fillAndStroke();
  stream.lineWidth(0.3);
  rosette(stream, { x, y, long: half * 0.88, short: half * 0.42, turns: 10 });
  stream.fillColor(accent).save().translate(x, y).ellipse(1.5, 1.5).fill().restore();
}

/** A scalloped disc with an engraved ring and a star. */
function seal(stream: ContentStream, { seal: { x, y, radius } }: OrnamentLayout, accent: Rgb): void {
  const dark = mix(accent, [0, 0, 0], 0.12);
  const light = mix(accent, paper, 0.75);
  stream.save().translate(x, y);

  stream
    .fillColor(dark)
    .star(72, radius, radius * 0.957)
    .fill();
  stream
    .strokeColor(paper)
    .lineWidth(0.5)
    .ellipse(radius * 0.89, radius * 0.89)
    .stroke();
  stream
    .fillColor(accent)
    .ellipse(radius * 0.87, radius * 0.87)
    .fill();
  stream.strokeColor(light).lineWidth(0.28);
  rosette(stream, { x: 0, y: 0, long: radius * 0.86, short: radius * 0.56, turns: 30 });

  stream
    .fillColor(accent)
    .ellipse(radius * 0.53, radius * 0.53)
    .fill();
  stream
    .strokeColor(paper)
    .lineWidth(0.6)
    .ellipse(radius * 0.53, radius * 0.53)
    .stroke();
  stream
    .lineWidth(0.25)
    .ellipse(radius * 0.49, radius * 0.49)
    .stroke();
  stream
    .fillColor(light)
    .star(8, radius * 0.42, radius * 0.1)
    .fill();
  stream
    .rotate(Math.PI / 8)
    .fillColor(paper)
    .star(8, radius * 0.36, radius * 0.13)
    .fill();
  stream
    .fillColor(accent)
    .ellipse(radius * 0.09, radius * 0.09)
    .fill();
  stream
    .fillColor(paper)
    .ellipse(radius * 0.05, radius * 0.05)
    .fill();
  stream.restore();
}
