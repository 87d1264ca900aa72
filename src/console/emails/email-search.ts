import { MAX_NAME } from "#foundation/limits.js";
import { addressOf, isText } from "../components/address.js";
import type { Chapters } from "../i18n/load-chapter.js";

/** Names of states in URLs. */
export type EmailStateName = keyof Chapters["emails"]["states"];

export const emailStateNames: readonly EmailStateName[] = [
  "waiting",
  "sent",
  "refused",
  "no-address",
  "dropped",
];

export const readEmailSearch = addressOf({
  state: (text): text is EmailStateName => emailStateNames.some((name) => name === text),
  credential: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  learner: (text) => text.length <= MAX_NAME,
  /** A learner's name, username or email address. */
  q: isText,
  page: isText,
});

export type EmailSearch = ReturnType<typeof readEmailSearch>;
