// The allowed contents of a drawing: static shapes in plain colours, and no references outside the file. Unused
// gradients are allowed, because drawing programs leave them behind. The names are those of SVG 2.

const core = ["id", "class", "role", "lang", "transform", "style"];

export const properties: ReadonlySet<string> = new Set([
  "clip-rule",
  "color",
  "color-interpolation",
  "color-rendering",
  "display",
  "enable-background",
  "fill",
  "fill-opacity",
  "fill-rule",
  "image-rendering",
  "isolation",
  "mix-blend-mode",
  "opacity",
  "overflow",
  "paint-order",
  "shape-rendering",
  "stop-color",
  "stop-opacity",
  "stroke",
  "stroke-dasharray",
  "stroke-dashoffset",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-miterlimit",
  "stroke-opacity",
  "stroke-width",
  "vector-effect",
  "visibility",
]);

const gradient = ["gradientUnits", "gradientTransform", "spreadMethod", "href"];

/** Allowed elements, each with its attributes in addition to the core and presentation attributes. */
const elements: Readonly<Record<string, readonly string[]>> = {
  svg: ["x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile"],
  g: [],
  defs: [],
  title: [],
  desc: [],
  path: ["d", "pathLength"],
  rect: ["x", "y", "width", "height", "rx", "ry", "pathLength"],
  circle: ["cx", "cy", "r", "pathLength"],
  ellipse: ["cx", "cy", "rx", "ry", "pathLength"],
  line: ["x1", "y1", "x2", "y2", "pathLength"],
  polyline: ["points", "pathLength"],
  polygon: ["points", "pathLength"],
  linearGradient: [...gradient, "x1", "y1", "x2", "y2"],
  radialGradient: [...gradient, "cx", "cy", "r", "fx", "fy", "fr"],
  stop: ["offset"],
};

const allowed: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(elements).map(([name, own]) => [name, new Set([...core, ...properties, ...own])]),
);

/** Common SVG features that are not allowed, and what to do instead. */
const remedies: Readonly<Record<string, string>> = {
  script: "Remove it: a drawing can't run programs.",
  foreignObject: "Remove it: a drawing can't contain web pages.",
  image: "Remove it, or upload the picture itself as PNG or JPEG.",
  style: "Export it with presentation attributes instead of a style sheet.",
  text: "Convert the text to paths.",
  filter: "Export it without effects, or as PNG.",
  mask: "Export it without masks, or as PNG.",
  pattern: "Export it without patterns, or as PNG.",
  use: "Convert copies to separate shapes, or save it as PNG.",
  symbol: "Convert copies to separate shapes, or save it as PNG.",
  clipPath: "Cut the shapes themselves, or save it as PNG.",
  metadata: "Export it without metadata, as optimised SVG.",
};

export function svgAttributesOf(element: string): ReadonlySet<string> | undefined {
  return allowed.get(element);
}

export function remedyFor(element: string): string {
  return remedies[element] ?? "Save it as plain SVG of shapes and paths.";
}
