/** Where everybody verifies credentials; the addresses of all of them begin with it. */
export function verifyPlace(publicUrl: string): string {
  return `${publicUrl}/verify/`;
}

/** The address of a credential's public verification; the QR code holds it. */
export function verifyUrl(publicUrl: string, verifyUuid: string): string {
  return `${verifyPlace(publicUrl)}${verifyUuid}/`;
}
