import { type LearnerQuery, readLearnerQuery } from "../../learners/learner-query.js";
import { findUuid } from "../find-uuid.js";
import { readShortCode } from "../short-code.js";

export type SearchQuery =
  | LearnerQuery
  /** UUID or verification UUID of a credential, in lower case. */
  | { readonly kind: "uuid"; readonly uuid: string }
  /** The beginning of a UUID or verification UUID, or a word that looks like one. */
  | {
      readonly kind: "uuid start";
      readonly first: string;
      readonly last: string;
      readonly otherwise: LearnerQuery;
    }
  /** A short code, or a word that looks like one. */
  | { readonly kind: "code"; readonly verifyUuid: string; readonly otherwise: LearnerQuery };

/** At least the first eight digits of a UUID, as shown in lists and logs. */
const UUID_START = /^[\da-f]{8}(?:-[\da-f]{0,4}){0,3}(?:-[\da-f]{0,12})?$/i;

/** @param text that someone typed or pasted */
export function readSearchQuery(text: string): SearchQuery {
  const uuid = findUuid(text);
  if (uuid !== undefined) return { kind: "uuid", uuid };
  const otherwise = readLearnerQuery(text);
  const start = UUID_START.exec(text.trim())?.[0].toLowerCase();
  if (start !== undefined) return { kind: "uuid start", ...rangeOf(start), otherwise };
  const verifyUuid = readShortCode(text);
  return verifyUuid === undefined ? otherwise : { kind: "code", verifyUuid, otherwise };
}

/** Returns the smallest and the largest UUID that begin with these digits. */
function rangeOf(start: string): { readonly first: string; readonly last: string } {
  const digits = start.replaceAll("-", "");
  return { first: digits.padEnd(32, "0"), last: digits.padEnd(32, "f") };
}
