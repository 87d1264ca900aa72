/** The address of a credential's public verification; the QR code holds it. */
export function verifyUrl(publicUrl: string, verifyUuid: string): string {
  return `${publicUrl}/verify/${verifyUuid}/`;
}
