import { counter } from "../plural.js";

const count = counter("en");

export const words = {
  correct: "Correct the name…",
  issueOne: "Issue a credential…",
  willPrint: "It can be issued, and prints the name {name}.",
  printed: "Name to print",
  printedMeans: "Credentials that are issued from now on print it.",
  told: "The record says {name}.",
  reasonMeans: "For other staff, beside the name. It is not public.",
  stays:
    "The correction stays when the platform sends the same name again. When the platform sends another one, you are asked which is right.",
  save: "Correct",
  correctedBy: "Corrected by {by} on {date}: {reason}",
  undecided: "The record says {told} now, which is new. {name} goes on to count until somebody decides.",
  keep: "Keep {name}",
  take: "Take {told}",
  withdraw: "Withdraw the correction",
  bounded: "Names count in all organisations. Ask somebody who is not bounded to some of them.",
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
  learnerRecordMeans:
    "The badges of all valid credentials, as one signed file that is valid for 90 days. The PDF lists them to read, and has that file in it.",
  downloadRecord: "Download the record",
  downloadRecordPdf: "Download it as a PDF",
  recordIsPartial: "Not all valid credentials are in it: some have no badge, or there are too many.",
};

/** About names that registrars correct, and the record of a learner. */
export type NamesWording = typeof words;
