import { shortCodeOf } from "./short-code.js";

/**
 * Returns the beginning of every verification URL, which is also the address of the page where anyone can verify
 * credentials.
 */
export function verifyUrlBase(publicUrl: string): string {
  return `${publicUrl}/verify/`;
}

/** Returns the URL of a credential's public verification page. The QR code contains this URL. */
export function verifyUrl(publicUrl: string, verifyUuid: string): string {
  return `${verifyUrlBase(publicUrl)}${verifyUuid}/`;
}

/** Returns the beginning of short URLs without a scheme, which browsers add. */
export function shortUrlBase(publicUrl: string): string {
  return `${publicUrl.replace(/^https?:\/\//, "")}/v/`;
}

/** Returns a URL that is easy to type: `credentials.example.org/v/` and a code. */
export function verifyShortUrl(publicUrl: string, verifyUuid: string): string {
  return `${shortUrlBase(publicUrl)}${shortCodeOf(verifyUuid)}`;
}
