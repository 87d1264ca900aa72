import { isObject } from "#foundation/text/is-object.js";
import { readJson } from "#foundation/text/read-json.js";
import { MAX_RECORD } from "./max-badge.js";
import { unbakePdf } from "./unbake-pdf.js";
import { unbakePng } from "./unbake-png.js";
import { unbakeSvg } from "./unbake-svg.js";

/**
 * The kind of a file, recognised by its first bytes. A `wrapper` is JSON that contains a credential, for example a
 * presentation. A `text` is the badge itself. In files of the other kinds, the badge's signature doesn't cover the rest
 * of the file.
 */
export type BadgeFileKind = "pdf" | "png" | "svg" | "wrapper" | "text";

export interface BadgeFile {
  readonly kind: BadgeFileKind;
  /**
   * Returns the text that may be a badge, unverified.
   * @returns undefined if the file contains no badge
   * @throws RangeError if the file is encrypted, or contains several different badges
   */
  badge(): string | undefined;
}

/** Number of leading bytes within which a PDF must have its header (ISO 32000, 7.5.2). */
const MAX_PDF_LEAD = 1024;

/** Recognises PDF, PNG, SVG and wrappers. Treats anything else as the text of a badge (JSON or a JWT). */
export function badgeInFile(file: Uint8Array): BadgeFile {
  if (new TextDecoder("latin1").decode(file.subarray(0, MAX_PDF_LEAD)).includes("%PDF-"))
    return { kind: "pdf", badge: () => unbakePdf(file) };
  if (file[0] === 0x89) return { kind: "png", badge: () => unbakePng(file) };
  const text = textIn(file);
  if (text.trimStart().startsWith("<")) return { kind: "svg", badge: () => unbakeSvg(text) };
  const wrapped = credentialIn(text);
  return wrapped === undefined
    ? { kind: "text", badge: () => text }
    : { kind: "wrapper", badge: () => wrapped };
}

/**
 * Decodes XML or JSON. Both start with an ASCII character. If one of the first two bytes is zero, the encoding is
 * therefore UTF-16. Otherwise, it is the encoding that the XML declares, or UTF-8.
 */
function textIn(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0 && bytes.length > 1))
    return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0))
    return new TextDecoder("utf-16be").decode(bytes);
  const text = new TextDecoder().decode(bytes);
  const [, encoding = "utf-8"] =
    /^<\?xml\s[^>]*\bencoding=["']([\w.:-]+)["']/.exec(text.slice(0, MAX_PDF_LEAD)) ?? [];
  if (/^utf/i.test(encoding)) return text;
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return text;
  }
}

/** Members that contain the credential in presentations, and in messages between wallets and issuers. */
const CREDENTIAL_MEMBERS = ["verifiableCredential", "credentials", "credential"];

/** @returns undefined if the text is not a wrapper, or contains several credentials */
function credentialIn(text: string): string | undefined {
  if (text.length > MAX_RECORD || !text.trimStart().startsWith("{")) return undefined;
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return undefined;
  }
  const outer = value;
  while (isObject(value) && !isCredential(value)) {
    const wrapper = value;
    const embedded = CREDENTIAL_MEMBERS.filter((name) => Object.hasOwn(wrapper, name)).map(
      (name) => wrapper[name],
    );
    const [inner] = embedded.length === 1 ? embedded : [];
    value = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
  }
  if (typeof value === "string") return value;
  return value === outer || !isObject(value) ? undefined : JSON.stringify(value);
}

function isCredential({ type }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(type) && type.includes("VerifiableCredential");
}
