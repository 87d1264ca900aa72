const CDATA = "<![CDATA[";

const NAMESPACE = "https://purl.imsglobal.org/ob/v3p0";

/**
 * Embeds a badge in an SVG picture (Open Badges 3.0, 5.3.2).
 * @param badge JSON in ASCII, or a JWT
 * @throws RangeError if the picture is not an SVG, or already has a badge
 */
export function bakeSvg(picture: string, badge: string): string {
  const start = /<svg(?=[\s>/])(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(picture);
  if (!start || start[0].endsWith("/>")) throw new RangeError("the picture is not an SVG, or is empty");
  if (picture.includes(NAMESPACE)) throw new RangeError("the picture already contains a badge");
  const end = start.index + start[0].length;
  const isJson = badge.startsWith("{");
  const element = isJson
    ? `<openbadges:credential><![CDATA[${badge.replaceAll("]]>", "]]\\u003e")}]]></openbadges:credential>`
    : `<openbadges:credential verify="${badge}"></openbadges:credential>`;
  const opening = `${start[0].slice(0, -1)} xmlns:openbadges="${NAMESPACE}">`;
  return picture.slice(0, start.index) + opening + element + picture.slice(end);
}

/** @returns undefined if the text has no badge */
export function unbakeSvg(picture: string): string | undefined {
  // Searches for the start once: a picture that repeats it a thousand times must not be read a thousand
  // times.
  const start = picture.indexOf("<openbadges:credential");
  const end = start === -1 ? -1 : picture.indexOf(">", start);
  if (end === -1) return undefined;
  const verify = /\sverify=["']([\w.-]+)["']/.exec(picture.slice(start, end))?.[1];
  if (verify !== undefined) return verify;
  const content = picture.slice(end + 1).trimStart();
  const close = content.indexOf("]]>");
  return content.startsWith(CDATA) && close !== -1 ? content.slice(CDATA.length, close) : undefined;
}
