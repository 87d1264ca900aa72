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
    refused: "The mail server refused it permanently. Correct the address, then resend the email.",
    "no-address": "The learner had no email address. Add one, then resend the email.",
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
  resendMeans: "Sends the email about this credential again, at most five times a day.",
  to: "To",
  noAddress: "The learner has no email address. Add one here, or on the platform.",
  noRecord: "There is no record of this learner any more, and so no address.",
  soFar: "So far",
  answered: "Mail server’s answer",
  refusals: {
    noMailbox: "No such mailbox",
    noDomain: "The domain doesn’t receive email",
    disabled: "The mailbox is disabled",
    full: "The mailbox is full",
    tooLarge: "The email is too large",
  },
  neverSent: "No mail was queued about it yet.",
  isWaiting: "It is on its way already.",
  withdrawalEmail: count({
    one: "The learner gets an email that gives the reason, if an address is known.",
    other: "The learners get an email that gives the reason, where an address is known.",
  }),
  reissueEmail: count({
    one: "The learner gets an email about the new credential, if an address is known.",
    other: "The learners get an email about the new credentials, where an address is known.",
  }),
  andMore: count({ one: "and {n} more", other: "and {n} more" }),
  sendAgain: "Send again",
};

/** What the console says about mails. */
export type MailsWording = typeof words;

/** The states of a mail, as addresses name them. */
export type MailStateName = keyof MailsWording["states"];
