import { counter } from "../plural.js";

const count = counter("en");

export const words = {
  means: "Every mail about a credential: that it is available, expires soon, or was withdrawn.",
  kinds: {
    available: "Credential available",
    expiry: count({ one: "Expires in one day", other: "Expires in {n} days" }),
    withdrawal: "Credential withdrawn",
  },
  byState: "By state",
  state: "State",
  states: {
    waiting: "Waiting",
    sent: "Sent",
    refused: "Refused",
    "no-address": "No address",
    dropped: "Not sent",
  },
  meanings: {
    waiting: "It is queued. If the mail server can’t be reached, it is tried again by itself.",
    sent: "The mail server has accepted it.",
    refused:
      "The mail server has refused it for good. Correct the address on the platform, then send the mail again.",
    "no-address":
      "The learner’s record had no address. Once the platform has told of one, send the mail again.",
    dropped:
      "The credential was withdrawn, renewed or replaced, or its learner erased, before the mail was sent.",
  },
  changed: "In this state since",
  action: "Action",
  resent: count({ one: "Sent again once", other: "Sent again {n} times" }),
  ofCredential: "About the credential",
  noneYet: "No mails yet",
  noneYetMeans:
    "A mail is queued as soon as the document of a credential is made. Here you see whether it arrived at the mail server, and send it again if somebody has lost it.",
  noneInState: "No mail is in this state",
  showAll: "Show all mails",
  resendTitle: "Send the mail again",
  resendMeans:
    "The learner gets the mail about this credential once more, at the address that the platform tells today. That is possible five times a day.",
  to: "To",
  noAddress:
    "The learner’s record has no mail address. Add it on the platform; once it has arrived here, send the mail.",
  noRecord: "There is no record of this learner any more, and so no address.",
  soFar: "So far",
  neverSent: "No mail was queued about it yet.",
  isWaiting: "It is on its way already.",
  sendAgain: "Send again",
};

/** What the console says about mails. */
export type MailsWording = typeof words;

/** The states of a mail, as addresses name them. */
export type MailStateName = keyof MailsWording["states"];
