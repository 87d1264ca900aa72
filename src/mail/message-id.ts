/** The format of `messageIdOf`; it also names a file. */
const pattern = /^<[\w-]+@[\w-]+(\.[\w-]+)*>$/;

/**
 * Returns the Message-ID of the mail about a credential. It is the same in every attempt. If a lost response
 * causes a mail to be sent twice, the recipient's program can recognise the duplicate.
 * @param domain the domain of the sender's address
 * @param resendCount how often it was asked for again: each of these mails is to arrive, and has an id of its own
 */
export function messageIdOf(credentialUuid: string, domain: string, resendCount = 0): string {
  return `<${credentialUuid}${resendCount === 0 ? "" : `-again-${resendCount}`}@${domain}>`;
}

/** Returns the Message-ID of the notice that is sent so many days before a credential expires. */
export function noticeIdOf(credentialUuid: string, days: number, domain: string): string {
  return `<${credentialUuid}-expires-${days}@${domain}>`;
}

/** Returns the Message-ID of the notice that a credential was withdrawn. */
export function withdrawalNoticeIdOf(credentialUuid: string, domain: string): string {
  return `<${credentialUuid}-withdrawn@${domain}>`;
}

export function isMessageId(text: string): boolean {
  return pattern.test(text);
}
