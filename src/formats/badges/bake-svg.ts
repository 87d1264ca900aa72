import { BADGE_NAMESPACE } from "./unbake-svg.js";

/**
 * Embeds a badge in an SVG (Open Badges 3.0, 5.3.2).
 * @param badge JSON in ASCII, or a JWT
 * @throws RangeError if the picture is not an SVG, or already has a badge
 */
export function bakeSvg(picture: string, badge: string): string {
  const start = /<svg(?=[\s>/])(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(picture);
  if (!start || start[0].endsWith("/>"))
    throw new RangeError("the picture is neither a PNG nor an SVG with content");
  if (picture.includes(BADGE_NAMESPACE)) throw new RangeError("the picture already contains a badge");
  const end = start.index + start[0].length;
  const isJson = badge.startsWith("{");
  const element = isJson
    ? `<openbadges:credential><![CDATA[${badge.replaceAll("]]>", "]]\\u003e")}]]></openbadges:credential>`
    : `<openbadges:credential verify="${badge}"></openbadges:credential>`;
  const opening = `${start[0].slice(0, -1)} xmlns:openbadges="${BADGE_NAMESPACE}">`;
  return picture.slice(0, start.index) + opening + element + picture.slice(end);
}
