import { shortCodeOf } from "./short-code.js";

/** Returns the page where everyone can verify credentials. Every verification URL begins with it. */
export function verifyUrlBase(publicUrl: string): string {
  return `${publicUrl}/verify/`;
}

/** Returns the URL of a credential's public verification page. The QR code contains it. */
export function verifyUrl(publicUrl: string, verifyUuid: string): string {
  return `${verifyUrlBase(publicUrl)}${verifyUuid}/`;
}

/** Returns the base of short URLs, without a scheme, which browsers add. */
export function shortUrlBase(publicUrl: string): string {
  return `${publicUrl.replace(/^https?:\/\//, "")}/v/`;
}

/** Returns a short URL of the verification page that is easy to type: `credentials.example.org/v/` and a code. */
export function verifyShortUrl(publicUrl: string, verifyUuid: string): string {
  return `${shortUrlBase(publicUrl)}${shortCodeOf(verifyUuid)}`;
}
