import { type LearnerQuery, readLearnerQuery } from "../../learners/learner-query.js";
import { findUuid } from "../find-uuid.js";
import { readShortCode } from "../short-code.js";

/** What a person searches for. */
export type SearchQuery =
  | LearnerQuery
  /** Either UUID of a credential, in lower case. */
  | { readonly kind: "uuid"; readonly uuid: string }
  /** The UUIDs, either of a credential, that begin as requested, which may be a word as well. */
  | {
      readonly kind: "uuid start";
      readonly first: string;
      readonly last: string;
      readonly otherwise: LearnerQuery;
    }
  /** A verification UUID that may be a word as well. */
  | { readonly kind: "code"; readonly verifyUuid: string; readonly otherwise: LearnerQuery };

/** The first eight digits at least, as lists and logs shorten it. */
const UUID_START = /^[\da-f]{8}(?:-[\da-f]{0,4}){0,3}(?:-[\da-f]{0,12})?$/i;

/** Recognises what someone has typed or pasted. */
export function readSearchQuery(text: string): SearchQuery {
  const uuid = findUuid(text);
  if (uuid !== undefined) return { kind: "uuid", uuid };
  const otherwise = readLearnerQuery(text);
  const start = UUID_START.exec(text.trim())?.[0].toLowerCase();
  if (start !== undefined) return { kind: "uuid start", ...rangeOf(start), otherwise };
  const verifyUuid = readShortCode(text);
  return verifyUuid === undefined ? otherwise : { kind: "code", verifyUuid, otherwise };
}

/** The least and the greatest UUID that begin so. */
function rangeOf(start: string): { readonly first: string; readonly last: string } {
  const digits = start.replaceAll("-", "");
  return { first: digits.padEnd(32, "0"), last: digits.padEnd(32, "f") };
}
