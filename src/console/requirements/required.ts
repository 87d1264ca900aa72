import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { capitalized } from "#foundation/text/capitalized.js";
import { keyParts } from "#foundation/text/key-parts.js";
import { REQUIRED_GRADES, REQUIREMENTS } from "#foundation/text/merge-options.js";
import type { Function as CredentialFunction } from "#gen/learning_credentials/v1/configuration_pb.js";
import { choicesOf, nameCourses } from "../components/alternatives.js";
import { filledIn, isolated } from "../components/isolated.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { valueAt } from "../options/change-options.js";
import { canShow, type Option, readOptionSchema } from "../options/option-schema.js";
import { isJsonObject } from "../options/read-options.js";
import { partsOf, unwrapped } from "./tree.js";

/**
 * Options for which the form has special fields. A plug-in's options with the same names and kinds get these fields,
 * too.
 */
export const COMPLETION = "required_completion";
export const PLATFORM_TOTAL = "use_platform_total";
export const PASSED = "required_passed";
export const LETTER = "required_letter";
/** The option with the number of required courses of a learning path. */
export const REQUIRED_STEPS = "required_steps";
/** The option whose values are the options of individual courses of a learning path, by course key. */
export const STEPS = "steps";

const KINDS: Readonly<Record<string, string>> = {
  [REQUIRED_GRADES]: "table",
  [COMPLETION]: "number",
  [PLATFORM_TOTAL]: "yes-no",
  [PASSED]: "yes-no",
  [LETTER]: "text",
};

/** Returns whether the name of an assignment type means the total grade. Ignores case. */
export const isTotal = (name: string) => name.toLowerCase() === "total";

/** Returns the options of a function, and the names of those with fields of their own. */
export function requirementsOf(fn: CredentialFunction | undefined) {
  const all = readOptionSchema(fn?.optionSchema);
  const describable = new Set(all.flatMap(({ name, input }) => (KINDS[name] === input.kind ? [name] : [])));
  return { all, describable, isTree: all.some(({ name }) => name === REQUIREMENTS) };
}

/** Returns whether the option's field can show a value. If not, the value is shown as JSON. */
export function isPlain(
  fn: CredentialFunction | undefined,
  name: string,
  value: JsonValue | undefined,
): boolean {
  const option = readOptionSchema(fn?.optionSchema).find((each) => each.name === name);
  return value === undefined || (option !== undefined && canShow(option.input, value));
}

export function defaultOf(fn: CredentialFunction | undefined, name: string): JsonValue | undefined {
  return isJsonObject(fn?.optionSchema) ? valueAt(fn.optionSchema, `properties.${name}.default`) : undefined;
}

/** Convert numbers without the rounding errors of floating point. */
export const toPercent = (fraction: number) => Number((fraction * 100).toFixed(6));
export const toFraction = (percent: number) => Number((percent / 100).toFixed(8));

export interface RequirementWording {
  readonly words: Chapters["requirements"];
  readonly percent: (fraction: number) => string;
  /** Separates a label from its value. */
  readonly colon: string;
  readonly list: (parts: readonly string[]) => string;
  /** Returns the name of a credential that a tree requires; undefined until the name is loaded. */
  readonly credentialName?: (holds: JsonObject) => string | undefined;
}

/**
 * Describes who gets a credential: one sentence for the context, and one for each course that has its own requirements.
 * @param nameOf returns the name of a course
 */
export function sentencesOf(
  options: JsonObject,
  fn: CredentialFunction | undefined,
  wording: RequirementWording,
  nameOf: (courseKey: string) => string = keyParts,
): readonly string[] {
  const { words } = wording;
  if (requirementsOf(fn).isTree) {
    const tree = options[REQUIREMENTS];
    return [isJsonObject(tree) ? treeSentence(tree, wording, nameOf) : words.nobody];
  }
  const fullSentence = sentenceOf(options, fn, wording);
  const steps = isJsonObject(options[STEPS]) ? Object.entries(options[STEPS]) : [];
  if (steps.length === 0) return [fullSentence];
  return [
    words.inEach({ sentence: fullSentence }),
    ...steps.map(([key, own]) =>
      words.inCourse({
        course: isolated(nameOf(key)),
        sentence: sentenceOf(isJsonObject(own) ? own : {}, fn, wording),
      }),
    ),
  ];
}

function sentenceOf(
  options: JsonObject,
  fn: CredentialFunction | undefined,
  wording: RequirementWording,
): string {
  const { words, percent, list, colon } = wording;
  const { all, describable } = requirementsOf(fn);
  const others = all.filter(({ name }) => !describable.has(name));
  if (describable.size === 0)
    return [
      isolated(fn?.summary ?? ""),
      ...others.flatMap((each) => describeOption(each, options, colon)),
    ].join(" ");
  const grades =
    describable.has(REQUIRED_GRADES) && isJsonObject(options[REQUIRED_GRADES])
      ? options[REQUIRED_GRADES]
      : {};
  const verdict = verdictOf(options, describable, words);
  if (describable.has(REQUIRED_GRADES) && Object.keys(grades).length === 0 && verdict.length === 0)
    return words.nobody;
  const total = options[PLATFORM_TOTAL] === true ? words.platformTotal : words.total;
  const toSentence = ([name, value]: [string, JsonValue]) => {
    if (typeof value !== "number" || (isTotal(name) && value === 0)) return [];
    const inWords = percent(value);
    return [
      isTotal(name)
        ? total({ percent: inWords })
        : words.grade({ percent: inWords, name: isolated(capitalized(name)) }),
    ];
  };
  const entries = Object.entries(grades);
  const completion = describable.has(COMPLETION) ? (options[COMPLETION] ?? defaultOf(fn, COMPLETION)) : 0;
  const parts = [
    ...entries.filter(([name]) => isTotal(name)).flatMap(toSentence),
    ...entries.filter(([name]) => !isTotal(name)).flatMap(toSentence),
    ...(typeof completion === "number" && completion > 0
      ? [words.completed({ percent: percent(completion) })]
      : []),
  ];
  const rest = [...verdict, ...others.flatMap((each) => describeOption(each, options, colon))];
  if (parts.length === 0 && rest.length === 0) return words.everybody;
  return [...(parts.length > 0 ? [words.atLeast({ list: list(parts) })] : []), ...rest].join(" · ");
}

/** Describes a part of a tree. Omits invalid parts. */
export function treeSentence(
  tree: JsonObject,
  wording: RequirementWording,
  nameOf: (courseKey: string) => string,
): string {
  const { words, percent, list } = wording;
  const part = unwrapped(tree);
  const choices = choicesOf(
    partsOf(part).map((each) => treeSentence(each, wording, nameOf)),
    words,
  );
  if (part.all !== undefined) return words.allOf({ list: choices });
  if (part.any !== undefined) return words.anyOf({ list: choices });
  if (part.at_least !== undefined) return words.atLeastOf({ count: String(part.at_least), list: choices });
  const keys = [part.course, ...(Array.isArray(part.runs) ? part.runs : [])].filter(
    (key): key is string => typeof key === "string" && key !== "",
  );
  const { grade, completion, letter, holds } = part;
  const requirement = isJsonObject(holds)
    ? words.holds({
        name: isolated(
          wording.credentialName?.(holds) ?? String(holds.credential_type_id ?? holds.configuration_id ?? ""),
        ),
      })
    : isJsonObject(grade)
      ? words.atLeast({
          list: list(
            Object.entries(grade).flatMap(([name, value]) => {
              if (typeof value !== "number") return [];
              if (!isTotal(name))
                return [words.grade({ percent: percent(value), name: isolated(capitalized(name)) })];
              const total = part.use_platform_total === true ? words.platformTotal : words.total;
              return [total({ percent: percent(value) })];
            }),
          ),
        })
      : typeof completion === "number"
        ? words.atLeast({ list: words.completed({ percent: percent(completion) }) })
        : typeof letter === "string"
          ? filledIn(words.hasLetter, { letter })
          : words.isPassed;
  if (keys.length === 0) return requirement;
  return words.inCourses({ requirement, courses: nameCourses(keys.map(nameOf), words) });
}

/** Describes the verdict that the platform must have reported. */
function verdictOf(
  options: JsonObject,
  describable: ReadonlySet<string>,
  words: Chapters["requirements"],
): string[] {
  const letter = options[LETTER];
  return [
    ...(describable.has(PASSED) && options[PASSED] === true ? [words.isPassed] : []),
    ...(describable.has(LETTER) && typeof letter === "string" ? [filledIn(words.hasLetter, { letter })] : []),
  ];
}

function describeOption({ name }: Option, options: JsonObject, colon: string): string[] {
  const value = options[name];
  if (value === undefined) return [];
  return [`${name.replaceAll("_", " ")}${colon}${typeof value === "string" ? value : JSON.stringify(value)}`];
}
