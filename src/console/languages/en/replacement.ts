export const words = {
  means:
    "If this credential was replaced by one that was issued separately, link the two. A withdrawal that was only a correction then doesn’t look like fraud. Nothing is issued and nobody gets a mail. This can’t be undone.",
  search: "Which credential replaces it?",
  searchHelp: "Choose one of the same learner below, or paste the address or UUID of one.",
  found: "Credentials that were found",
  none: "There is no other credential of this learner",
  noneMeans: "Issue the right one first, or reissue instead of linking. Then come back.",
  unfit: {
    itself: "This is the withdrawn credential itself.",
    otherLearner: "It is another learner’s.",
    notAvailable: "It is not valid now: only a valid one can replace another.",
    replacesAnother: "It already replaces another credential.",
  },
  wouldHappen: "What will happen",
  oldPage: "The page of the withdrawn credential says that it was replaced, and leads to the new one.",
  newPage: "The new credential says which one it replaces. Its document stays as it is.",
  link: "Link as replacement",
};

/** About linking a withdrawn credential to the one that was issued in its place. */
export type ReplacementWording = typeof words;

/** Why a credential can't be linked as a replacement. */
export type UnfitReason = keyof ReplacementWording["unfit"];
