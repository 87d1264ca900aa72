import { describe } from "vitest";
import { accepts, refuses } from "./refusal.js";

const svg = (inside: string, attributes = 'viewBox="0 0 842 595"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`,
  );

const seal = `
  <title>A seal</title>
  <defs>
    <linearGradient id="gold"><stop offset="0" stop-color="#b8860b"/><stop offset="1" style="stop-color: gold"/></linearGradient>
    <linearGradient id="tilted" xlink:href="#gold" gradientTransform="rotate(45)"/>
    <g id="star"><path d="M0-40 9.4-12.9 38-12.4z" fill="#b8860b" vector-effect="none"/></g>
  </defs>
  <g transform="translate(421 297)" aria-label="Seal" data-name="Layer 1">
    <rect width="10" height="10" style="fill:gold;font-family:sans-serif;-inkscape-stroke:none"/>
    <polygon points="0,0 10,0 5,1e1"/>
  </g>`;

describe("an SVG is accepted", () => {
  accepts("svg", {
    "of shapes, and gradients that none has": svg(seal),
    "with a declaration and comments": Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="UTF-8"?><!-- by us -->'),
      svg(seal),
    ]),
    "with a byte order mark": Buffer.concat([Buffer.from("\uFEFF"), svg(seal)]),
    "with a size in place of a viewBox": svg(seal, 'width="297mm" height="210mm"'),
    "of ten thousand shapes": svg(`${seal}${'<path d="M0 0" fill="#fc0"/>'.repeat(10_000)}`),
  });
});

describe("an SVG is refused", () => {
  refuses({
    "shapes in plain colours": {
      "filled with a gradient": svg(`${seal}<path d="M0 0h9" fill="url(#gold)"/>`),
    },
    "url('#tilted')": {
      "styled with a gradient": svg(`${seal}<path d="M0 0h9" style="fill:url('#tilted')"/>`),
    },
    "color from string: #12": { "of a colour that there is not": svg('<path d="M0 0h9" fill="#12"/>') },
    "Save it as plain SVG": {
      "with a prefix": Buffer.from(
        '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0,0,10,10"><s:path d="M0 0"/></s:svg>',
      ),
    },
    "contains <script>": { "with a script": svg("<script>alert(1)</script>") },
    'onclick="alert(1)"': { "with an event": svg('<g onclick="alert(1)"/>') },
    "contains <foreignObject>": { "with a web page in it": svg("<foreignObject/>") },
    "contains <image>": {
      "with a picture": svg('<image href="http://example.org/a.png"/>'),
      "with a picture in it": svg('<image href="data:image/png;base64,AAAA"/>'),
    },
    "contains <style>": { "with a style sheet": svg("<style>@import url(http://example.org)</style>") },
    "Convert the text to paths.": { "with text": svg("<text>Certificate</text>") },
    "contains <animate>": { "with an animation": svg('<rect><animate attributeName="x"/></rect>') },
    "contains <filter>": { "with a filter": svg("<filter/>") },
    "contains <a>": { "with a link": svg('<a href="javascript:alert(1)"/>') },
    "contains <n:view>": { "with an element of a drawing program": svg('<n:view xmlns:n="http://n"/>') },
    "contains <use>": { "with copies of a shape, which nobody would draw": svg('<use href="#star"/>') },
    "contains <symbol>": { "with a symbol": svg('<symbol id="a"/>') },
    "contains <clipPath>": { "with a clip": svg('<clipPath id="disc"/>') },
    "remove that attribute": {
      "with a shape that is clipped": svg('<path clip-path="url(#disc)" d="M0 0"/>'),
    },
    "an id of the same file": {
      "with a gradient of another file": svg('<linearGradient href="http://example.org/a.svg#b"/>'),
      "with a gradient of a file of ours": svg('<linearGradient xlink:href="file:///etc/passwd"/>'),
      "that is filled from elsewhere": svg('<rect fill="url(http://example.org/a#b)"/>'),
      "that is styled from elsewhere": svg('<rect style="fill: URL(//a/b#c)"/>'),
      "with a second reference": svg('<g id="a"/><rect fill="url(#a) url(http://b)"/>'),
      "with a reference in disguise": svg('<rect style="fill: \\75rl(//a)"/>'),
    },
    'but the style "background"': { "with a background image": svg('<rect style="background: red"/>') },
    'refers to "#nowhere"': { "with a reference to nothing": svg('<linearGradient href="#nowhere"/>') },
    "draws more than 20000 elements": { "of too many elements": svg("<g/>".repeat(20_001)) },
    "nested more than 64 deep": { "that is nested too deep": svg("<g>".repeat(5000)) },
    "more than 64 attributes": {
      "of too many attributes": svg(
        `<g ${Array.from({ length: 65 }, (_, i) => `data-a${i}=""`).join(" ")}/>`,
      ),
    },
    'two elements with the id "a"': { "with two elements of one id": svg('<g id="a"/><g id="a"/>') },
    DOCTYPE: {
      "with a document type": Buffer.concat([
        Buffer.from(
          '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
        ),
        svg(""),
      ]),
      "with entities": Buffer.concat([
        Buffer.from('<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        svg("&x;"),
      ]),
    },
    "not well-formed": {
      "with an entity of no meaning": svg("&x;"),
      "that is not closed": svg("<g>"),
      "that is followed by another": Buffer.concat([svg(""), svg("")]),
    },
    "processing instruction": {
      "with a style sheet beside it": Buffer.concat([
        Buffer.from('<?xml-stylesheet href="a.css"?>'),
        svg(""),
      ]),
    },
    "not in UTF-8": { "that is not in UTF-8": Buffer.concat([svg(""), Buffer.from([0xff])]) },
    "UTF-7": {
      "in another encoding": Buffer.concat([Buffer.from('<?xml version="1.0" encoding="UTF-7"?>'), svg("")]),
    },
    "has no size": {
      "without a size": svg("", ""),
      "with a size of its place": svg("", 'width="100%" height="100%"'),
    },
    "10 x 0": { "of no height": svg("", 'viewBox="0 0 10 0"') },
    viewBox: { "of an endless size": svg("", 'viewBox="0 0 1e300 10"') },
    "numbers may be at most": { "with an endless number": svg('<path d="M0 0L1e400 0"/>') },
    "is not a path": { "with no path in its path": svg('<path d="alert(1)"/>') },
    "contains <svg>": { "outside of the namespace": Buffer.from('<svg viewBox="0 0 10 10"/>') },
    "at most 2097152 are accepted": { "of more than 2 MiB": svg(" ".repeat(2 * 1024 * 1024)) },
  });
});
