import { domainToASCII } from "node:url";
import { invalid } from "../errors.js";
import { plainLine } from "../text/plain-line.js";

/** Somebody's address, and the name shown with it. */
export interface Mailbox {
  /** One plain mailbox: `isPlainAddress` holds for it. */
  readonly address: string;
  readonly name?: string | undefined;
}

const plainAddress = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+$/;
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}]/u;
const named = /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/;
const domainName = /@[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u;

/**
 * Whether the text is the address of one mailbox and nothing else: no display name, no list, no comment, nothing that
 * could end a header or a command of SMTP.
 */
export function isPlainAddress(text: string): boolean {
  return text.length <= 254 && plainAddress.test(text) && !unprintable.test(text);
}

/**
 * Reads a sender as the settings give it: `no-reply@example.org`, or `Example Academy <no-reply@example.org>`.
 * @throws Problem `invalid`
 */
export function parseMailbox(text: string): Mailbox {
  const trimmed = text.trim();
  const { name = "", address = trimmed } = named.exec(trimmed)?.groups ?? {};
  const shownName = name.trim().replace(/^"(.*)"$/, "$1");
  if (!isPlainAddress(address) || !domainName.test(address) || plainLine(shownName) !== shownName) {
    throw invalid(
      "must be one mailbox, such as no-reply@example.org or Example Academy <no-reply@example.org>",
    );
  }
  return shownName === "" ? { address } : { address, name: shownName };
}

/** The domain of an address as DNS knows it. */
export function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf("@") + 1));
}
