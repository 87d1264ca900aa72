import { type Language, languagesOf } from "#foundation/languages/languages.js";
import { capitalized } from "#foundation/text/capitalized.js";
import { keyParts } from "#foundation/text/key-parts.js";
import type { Results } from "../../eligibility/course-results.js";
import { type Requirement, readRequirement } from "../../eligibility/requirement.js";

const languages = languagesOf("criteria");

/** Names of the courses, credentials and types in requirements, at the time of issuing. */
export type RequirementNames = Pick<Results, "named"> & {
  readonly courses: readonly { readonly course_key: string; readonly name?: string }[];
};

/**
 * Returns the requirements as a sentence, or `undefined` if there are none.
 * @param tree of requirements, as in the options
 * @param tag BCP 47 tag of the language
 */
export function criteriaInWords(
  tree: unknown,
  names: RequirementNames | null,
  tag: string,
): string | undefined {
  const requirement = readRequirement(tree, () => {});
  if (!requirement) return undefined;
  const language = languages.choose([tag]);
  const clause = sentence(requirement, names, language);
  return clause && capitalized(clause, language.tag);
}

function sentence(part: Requirement, names: RequirementNames | null, words: Language<"criteria">): string {
  if ("parts" in part) {
    const [only, ...others] = part.parts;
    if (only && others.length === 0) return sentence(only, names, words);
    const list = part.parts.map((each) => enclosed(each, names, words)).join(SEPARATORS[words.tag] ?? "; ");
    if (part.kind === "all") return words.allOf({ list });
    return part.kind === "any" ? words.anyOf({ list }) : words.atLeastOf({ count: part.count, list });
  }
  const keys = "courseKeys" in part ? part.courseKeys : part.contextKeys;
  const requirement =
    part.kind === "holds" ? words.holds({ name: heldName(part.of, names) }) : result(part.criteria, words);
  if (!keys) return requirement;
  const courseNames = new Map(names?.courses.map(({ course_key, name }) => [course_key, name]));
  const courses = keys.map((key) => courseNames.get(key) ?? keyParts(key));
  return words.inCourses({ requirement, courses: listed(courses, words, "disjunction") });
}

/** Puts a group in brackets to separate it from the list that contains it. */
function enclosed(part: Requirement, names: RequirementNames | null, words: Language<"criteria">): string {
  const clause = sentence(part, names, words);
  return isGroup(part) ? `[${clause}]` : clause;
}

function isGroup(part: Requirement): boolean {
  if (!("parts" in part)) return false;
  const [only, ...others] = part.parts;
  return others.length > 0 || (only !== undefined && isGroup(only));
}

/** Separators between phrases that contain commas. Default: `; ` */
const SEPARATORS: Readonly<Record<string, string>> = { ar: "؛ " };

function heldName(of: Extract<Requirement, { kind: "holds" }>["of"], names: RequirementNames | null): string {
  const key = "configurationId" in of ? `configuration:${of.configurationId}` : `type:${of.credentialTypeId}`;
  return names?.named?.[key] ?? "…";
}

function result(
  {
    grades,
    completion,
    passed,
    letter,
  }: Exclude<Requirement, { kind: "holds" } | { parts: unknown }>["criteria"],
  words: Language<"criteria">,
): string {
  const percent = new Intl.NumberFormat(`${words.tag}-u-nu-latn`, {
    style: "percent",
    maximumFractionDigits: 6,
  });
  const parts: string[] = [];
  if (grades) {
    if (grades.total > 0 || grades.byAssignmentType.size === 0)
      parts.push(words.total({ percent: percent.format(grades.total / 100) }));
    for (const [name, minimum] of grades.byAssignmentType)
      parts.push(words.grade({ percent: percent.format(minimum / 100), name: capitalized(name, words.tag) }));
  }
  if (completion !== undefined) parts.push(words.completion({ percent: percent.format(completion) }));
  if (passed) parts.push(words.passed);
  if (letter !== undefined) parts.push(words.letter({ letter }));
  return listed(parts, words, "conjunction");
}

function listed(
  parts: readonly string[],
  { tag }: Language<"criteria">,
  type: "conjunction" | "disjunction",
): string {
  return new Intl.ListFormat(tag, { type }).format(parts);
}
