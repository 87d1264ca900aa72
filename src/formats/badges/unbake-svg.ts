import { SaxesParser } from "saxes";
import { MAX_BADGE } from "./max-badge.js";
import { onlyBadge } from "./only-badge.js";

/** Namespace of the element that contains a badge (Open Badges 3.0, 5.3.2). */
export const BADGE_NAMESPACE = "https://purl.imsglobal.org/ob/v3p0";

/** Maximum depth of elements, because looking up a namespace visits all levels. */
const MAX_DEPTH = 100;

/** Maximum number of elements. A picture of up to 4 MiB exceeds this only if it was made to be slow to read. */
const MAX_ELEMENTS = 250_000;

/** Errors in files of drawing programs that don't prevent finding the badge. */
const HARMLESS = /undefined entity|unbound namespace prefix/;

/** Maximum number of harmless errors. Each takes as long as parsing a thousand characters. */
const MAX_FAULTS = 1000;

/**
 * Finds the badge in an SVG. The badge's element may have any namespace prefix, and its text may be escaped or in
 * CDATA.
 * @returns undefined if the text is not well-formed XML, has too many elements, or contains no badge
 * @throws RangeError if the picture contains several different badges
 */
export function unbakeSvg(picture: string): string | undefined {
  if (!picture.includes(BADGE_NAMESPACE)) return undefined;
  const found: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let elements = 0;
  /** The current badge element: its text, and the number of open elements in it. */
  let badge: { text: string; depth: number } | undefined;
  let faults = 0;
  parser.on("error", (error) => {
    if (!HARMLESS.test(error.message) || ++faults > MAX_FAULTS) throw error;
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    if (++depth > MAX_DEPTH || ++elements > MAX_ELEMENTS) throw new Error("has too many elements");
    if (badge) badge.depth++;
    else if (uri === BADGE_NAMESPACE && local === "credential") {
      badge = { text: "", depth: 0 };
      const { value } = attributes.verify ?? {};
      if (value) found.push(value.trim());
    }
  });
  parser.on("closetag", () => {
    depth--;
    if (badge?.depth === 0) {
      if (badge.text.trim() !== "") found.push(badge.text.trim());
      badge = undefined;
    } else if (badge) badge.depth--;
  });
  const add = (text: string) => {
    if (badge?.depth === 0 && badge.text.length <= MAX_BADGE) badge.text += text;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  try {
    parser.write(picture).close();
  } catch {
    return undefined;
  }
  return onlyBadge(found, "picture");
}
