const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes HTML entities. Some platforms escape texts in JSON, for example `R&amp;D` in the course list. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });
}
