import { shortCodeOf } from "./short-code.js";

/** Where everybody verifies credentials; the addresses of all of them begin with it. */
export function verifyPlace(publicUrl: string): string {
  return `${publicUrl}/verify/`;
}

/** The address of a credential's public verification; the QR code holds it. */
export function verifyUrl(publicUrl: string, verifyUuid: string): string {
  return `${verifyPlace(publicUrl)}${verifyUuid}/`;
}

/** Where short addresses lead, without a scheme: browsers find it. */
export function shortPlace(publicUrl: string): string {
  return `${publicUrl.replace(/^https?:\/\//, "")}/v/`;
}

/** What leads there in few characters, to be typed: `credentials.example.org/v/` and a code. */
export function verifyShortUrl(publicUrl: string, verifyUuid: string): string {
  return `${shortPlace(publicUrl)}${shortCodeOf(verifyUuid)}`;
}
