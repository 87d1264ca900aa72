import { domainToASCII } from "node:url";
import { invalid } from "#foundation/errors.js";
import { plainLine } from "#foundation/text/plain-line.js";

export interface Mailbox {
  /** An address for which `isPlainAddress` is true. */
  readonly address: string;
  readonly name?: string | undefined;
}

const plainAddress = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+$/;
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}]/u;
const named = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/;
const domainName = /@[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u;

/**
 * Returns whether the text is the address of one mailbox and nothing else: no display name, list or comment, and
 * nothing that could end a header or an SMTP command.
 */
export function isPlainAddress(text: string): boolean {
  return text.length <= 254 && plainAddress.test(text) && !unprintable.test(text);
}

/**
 * Parses a sender from the settings: `no-reply@example.org`, or `Example Academy <no-reply@example.org>`.
 * @throws Problem `invalid`
 */
export function parseMailbox(text: string): Mailbox {
  const trimmed = text.trim();
  const { name = "", address = trimmed } = named.exec(trimmed)?.groups ?? {};
  const shownName = name.trim().replace(/^"(.*)"$/, "$1");
  if (!isPlainAddress(address) || !domainName.test(address) || plainLine(shownName) !== shownName) {
    throw invalid(
      "must be one email address, such as no-reply@example.org or Example Academy <no-reply@example.org>",
    );
  }
  return shownName === "" ? { address } : { address, name: shownName };
}

/** Returns the domain of an address in the ASCII form that DNS uses. */
export function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf("@") + 1));
}
