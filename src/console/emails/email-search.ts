import { addressOf, isText } from "../components/address.js";
import type { Chapters } from "../i18n/load-chapter.js";

/** The states of an email, as in addresses. */
export type EmailStateName = keyof Chapters["emails"]["states"];

export const emailStateNames: readonly EmailStateName[] = [
  "waiting",
  "sent",
  "refused",
  "no-address",
  "dropped",
];

/** Reads the parameters in the list's address. */
export const readEmailSearch = addressOf({
  state: (text): text is EmailStateName => emailStateNames.some((name) => name === text),
  /** UUID of the credential that the email is about. */
  credential: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  learner: (text) => text.length <= 255,
  /** Search text: a learner's name, username or email address. */
  q: isText,
  page: isText,
});

export type EmailSearch = ReturnType<typeof readEmailSearch>;
