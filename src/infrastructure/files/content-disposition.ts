/** Control characters, and characters that reverse the text after them: `fdp.exe` must not look like `exe.pdf`. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const SEPARATORS = /[/\\]/g;
const NOT_QUOTABLE = /[^ !#-$&-[\]-~]/g;
/** Characters that encodeURIComponent keeps, but that `attr-char` of RFC 8187 excludes. */
const NOT_ATTR_CHAR = /['()*]/g;

/** Returns the header with which a browser saves a file under a name (RFC 6266). Any text becomes a harmless name. */
export function contentDisposition(downloadName: string): string {
  const name = downloadName.toWellFormed().replace(UNSAFE, "").replace(SEPARATORS, "_").trim() || "download";
  const plain = name.replace(NOT_QUOTABLE, "_");
  const encoded = encodeURIComponent(name).replace(
    NOT_ATTR_CHAR,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
