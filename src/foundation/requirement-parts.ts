/** Kinds of parts of a requirement tree, in the order of the console's menu. */
export const LEAVES = ["grade", "completion", "passed", "letter", "holds"] as const;
export const GROUPS = ["all", "any", "at_least"] as const;

export type LeafKind = (typeof LEAVES)[number];
export type GroupKind = (typeof GROUPS)[number];

export const MAX_LEAVES = 200;
export const MAX_DEPTH = 8;

const COURSE_MEMBERS = ["course", "runs"];

/** Members that a part of each kind may have, in addition to the member that is named after the kind. */
export const MEMBERS: Readonly<Record<LeafKind | GroupKind, readonly string[]>> = {
  all: [],
  any: [],
  at_least: ["of"],
  grade: ["use_platform_total", ...COURSE_MEMBERS],
  completion: COURSE_MEMBERS,
  passed: COURSE_MEMBERS,
  letter: COURSE_MEMBERS,
  holds: [...COURSE_MEMBERS, "anywhere"],
};
