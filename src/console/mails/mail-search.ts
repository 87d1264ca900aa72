import type { MailStateName } from "../languages/en/mails.js";

/** What the address of the list of mails says. */
export interface MailSearch {
  readonly state?: MailStateName;
  /** UUID of the credential that the mail is about. */
  readonly credential?: string;
  readonly learner?: string;
  /** Token of the page. */
  readonly page?: string;
}

export const mailStateNames: readonly MailStateName[] = [
  "waiting",
  "sent",
  "refused",
  "no-address",
  "dropped",
];

const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads an address. What it can't mean is left out. */
export function readMailSearch({ state, credential, learner, page }: Record<string, unknown>): MailSearch {
  const name = mailStateNames.find((each) => each === state);
  return {
    ...(name !== undefined && { state: name }),
    ...(typeof credential === "string" && isUuid.test(credential) && { credential }),
    ...(typeof learner === "string" &&
      learner.trim() !== "" &&
      learner.length <= 255 && { learner: learner.trim() }),
    ...(typeof page === "string" && page.length <= 500 && { page }),
  };
}
