import { type LearnerQuery, readLearnerQuery } from "../../learners/learner-query.js";
import { readShortCode } from "../short-code.js";

/** What a person searches for. */
export type SearchQuery =
  | LearnerQuery
  /** Either UUID of a credential, in lower case. */
  | { readonly kind: "uuid"; readonly uuid: string }
  /** A verification UUID that may be a word as well. */
  | { readonly kind: "code"; readonly verifyUuid: string; readonly otherwise: LearnerQuery };

const UUID = /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/i;

/** The short verification address, which ends with the code. */
const SHORT_ADDRESS = /\/v\/([\da-z-]+)\/?$/i;

/** Recognises what somebody has typed or pasted. */
export function readSearchQuery(text: string): SearchQuery {
  const uuid = UUID.exec(text)?.[0];
  if (uuid !== undefined) return { kind: "uuid", uuid: uuid.toLowerCase() };
  const shortAddress = SHORT_ADDRESS.exec(text.trim())?.[1];
  const inAddress = shortAddress === undefined ? undefined : readShortCode(shortAddress);
  if (inAddress !== undefined) return { kind: "uuid", uuid: inAddress };
  const otherwise = readLearnerQuery(text);
  const verifyUuid = readShortCode(text);
  return verifyUuid === undefined ? otherwise : { kind: "code", verifyUuid, otherwise };
}
