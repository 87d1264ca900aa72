export const words = {
  means: "What was saved, the newest first. The picture is drawn anew, with the files of today.",
  current: "As it is now",
  first: "The first version",
  version: "Version {n}",
  savedBy: "{who}, {time}",
  changed: "Changed: {list}",
  added: "New: {list}",
  removed: "Taken away: {list}",
  restore: "Take this version over",
  restoreMeans: "It comes into the form as a change, which can be undone. Nothing is saved before you do.",
  duplicate: "New type from it",
  none: "Nothing was saved yet.",
};

/** About what was saved of a type or a configuration before. */
export type HistoryWording = typeof words;
