/** The format of `messageIdOf`, which also names a file. */
const pattern = /^<[\w-]+@[\w-]+(\.[\w-]+)*>$/;

/**
 * Returns the Message-ID of an email about a credential. It is the same in every attempt. If a lost response causes an
 * email to be sent twice, the recipient's program can recognise the duplicate.
 * @param domain domain of the sender's address
 * @param suffix distinguishes several emails about the credential
 */
export function messageIdOf(credentialUuid: string, domain: string, suffix = ""): string {
  return `<${credentialUuid}${suffix}@${domain}>`;
}

export function isMessageId(text: string): boolean {
  return pattern.test(text);
}
