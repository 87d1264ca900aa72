import { counter } from "../plural.js";

const count = counter("en");

export const words = {
  correct: "Correct the name…",
  correctEmail: "Correct the address…",
  issueOne: "Issue a credential…",
  willPrint: "It can be issued, and prints the name {name}.",
  printed: "Name to print",
  printedMeans: "Credentials that are issued from now on print it.",
  emailMeans: "Emails to this learner go to this address from now on.",
  told: "The record says {name}.",
  reasonMeans: "For other staff. It isn’t public.",
  stays:
    "The correction stays when the platform sends the same name again. When the platform sends another one, you are asked which is right.",
  emailStays:
    "The correction is kept when the platform sends the same address again. If the platform sends a different address, you are asked which one is right.",
  noRecordedEmail: "The record has no email address.",
  save: "Correct",
  correctedBy: "Corrected by {by} on {date}: {reason}",
  undecided: "The record says {told} now, which is new. {name} goes on to count until somebody decides.",
  keep: "Keep {name}",
  take: "Take {told}",
  withdraw: "Withdraw the correction",
  bounded:
    "Names and addresses are shared by all organisations, so only staff with access to all of them can change one.",
  onReissue: "Name on the new credential",
  onReissueMeans: "If it is wrong, correct it here: the learner’s name is corrected for the same reason.",
  others: count({
    one: "{n} valid credential prints another name.",
    other: "{n} valid credentials print another name.",
  }),
  toDecide: count({
    one: "{n} corrected name is up for decision: the platform has changed its own.",
    other: "{n} corrected names are up for decision: the platform has changed its own.",
  }),
  emailsToDecide: count({
    one: "{n} corrected email address needs a decision: the platform has changed its own.",
    other: "{n} corrected email addresses need a decision: the platform has changed its own.",
  }),
  learnerRecordMeans:
    "The badges of all valid credentials, as one signed file that is valid for 90 days. The PDF lists them to read, and has that file in it.",
  downloadRecord: "Download the record",
  downloadRecordPdf: "Download it as a PDF",
  recordIsPartial: "Not all valid credentials are in it: some have no badge, or there are too many.",
};

/** About names that registrars correct, and the record of a learner. */
export type NamesWording = typeof words;
