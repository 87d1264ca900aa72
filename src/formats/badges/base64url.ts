/** Encodes without padding. Doesn't use Buffer, because this function also runs in browsers. */
function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @returns undefined for padding, white space or leftover bits, because JWTs don't allow them (RFC 7515, 2) */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  let binary: string;
  try {
    binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return toBase64Url(bytes.subarray(-(bytes.length % 3 || 3))) === text.slice(-(text.length % 4 || 4))
    ? bytes
    : undefined;
}
