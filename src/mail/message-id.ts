/** What `messageIdOf` makes; it also names a file. */
const pattern = /^<[\w-]+@[\w-]+(\.[\w-]+)*>$/;

/**
 * The Message-ID of the mail about a credential. It is the same in every attempt: a mail that was sent twice, because the
 * server's answer was lost, can be recognised as one.
 * @param domain one of ours: that of the sender's address
 */
export function messageIdOf(credentialUuid: string, domain: string): string {
  return `<${credentialUuid}@${domain}>`;
}

export function isMessageId(text: string): boolean {
  return pattern.test(text);
}
