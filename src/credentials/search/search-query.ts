import { searchCondition } from "../../text/search-words.js";
import { readShortCode } from "../short-code.js";

/** What a person searches for. */
export type SearchQuery =
  | { readonly kind: "everything" }
  /** Nothing is found: the text has no word. */
  | { readonly kind: "nothing" }
  /** Either UUID of a credential, in lower case. */
  | { readonly kind: "uuid"; readonly uuid: string }
  /** A verification UUID that may be a word as well. */
  | { readonly kind: "code"; readonly verifyUuid: string; readonly words: string }
  /** The beginning of an email address, or a username that looks like one. */
  | { readonly kind: "email"; readonly address: string }
  /** Beginnings of words: a literal of the type `tsquery`. */
  | { readonly kind: "words"; readonly words: string };

const UUID = /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/i;

const ADDRESS = /[^\s<>,;"]+@[^\s<>,;"]*/;

/** The short verification address, which ends with the code. */
const SHORT_ADDRESS = /\/v\/([\da-z-]+)\/?$/i;

/** Recognises what somebody has typed or pasted. */
export function readSearchQuery(text: string): SearchQuery {
  const query = text.trim();
  if (query === "") return { kind: "everything" };
  const uuid = UUID.exec(query)?.[0];
  if (uuid !== undefined) return { kind: "uuid", uuid: uuid.toLowerCase() };
  const shortAddress = SHORT_ADDRESS.exec(query)?.[1];
  const inAddress = shortAddress === undefined ? undefined : readShortCode(shortAddress);
  if (inAddress !== undefined) return { kind: "uuid", uuid: inAddress };
  const address = ADDRESS.exec(query)?.[0];
  if (address !== undefined) return { kind: "email", address };
  const words = searchCondition(query);
  if (words === undefined) return { kind: "nothing" };
  const verifyUuid = readShortCode(query);
  return verifyUuid === undefined ? { kind: "words", words } : { kind: "code", verifyUuid, words };
}
