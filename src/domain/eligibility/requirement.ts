import { z } from "zod";
import { quoted } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import {
  GROUPS,
  type GroupKind,
  LEAVES,
  MAX_DEPTH,
  MAX_LEAVES,
  MEMBERS,
} from "#foundation/requirement-parts.js";
import { isObject } from "#foundation/text/is-object.js";
import { coursePattern, pathPattern } from "../learners/learning-context-key.js";
import type { Criteria } from "./criteria.js";
import {
  letterGrade,
  percentages,
  requiredFraction,
  requiredGrades,
  usePlatformTotal,
} from "./required-results.js";
import { roundDecimal } from "./round-decimal.js";

/** The requirements for a learner, as a tree. */
export type Requirement = RequirementGroup | RequiredResult | RequiredCredential;

export interface RequirementGroup {
  readonly kind: GroupKind;
  /** Number of parts that must be met. */
  readonly count: number;
  readonly parts: readonly Requirement[];
}

export interface RequiredResult {
  readonly kind: "grade" | "completion" | "passed" | "letter";
  readonly criteria: Criteria;
  /** Courses in display order, any one of which is sufficient; null for the learning context itself. */
  readonly courseKeys: readonly string[] | null;
}

/** A credential that the learner must hold, and that must be valid. */
export interface RequiredCredential {
  readonly kind: "holds";
  readonly of: { readonly credentialTypeId: number } | { readonly configurationId: number };
  /** Contexts, any one of which is sufficient; null for all contexts; absent for the learning context itself. */
  readonly contextKeys?: readonly string[] | null;
}

/** Maximum number of courses and paths that a tree names, including repetitions. */
const MAX_COURSES = 500;
/**
 * Maximum number of grades in a tree. Each becomes a column in the query for a course, and PostgreSQL allows 1,664
 * columns.
 */
const MAX_GRADES = 1000;

const KINDS = [...GROUPS, ...LEAVES] as const;

const held = z.union([
  z.strictObject({ credential_type_id: z.int32().min(1) }),
  z.strictObject({ configuration_id: z.int32().min(1) }),
]);

type Path = readonly (string | number)[];

type ReportFault = (path: Path, message: string) => void;

interface Reading {
  readonly report: ReportFault;
  faults: number;
  leaves: number;
  /** Number of courses and paths that the tree names, including repetitions. */
  named: number;
  grades: number;
}

/** Reads a requirement tree from JSON. Returns `undefined` if it has faults, which are passed to `report`. */
export function readRequirement(candidate: unknown, report: ReportFault): Requirement | undefined {
  const reading: Reading = { report, faults: 0, leaves: 0, named: 0, grades: 0 };
  const read = readPart(reading, candidate, [], 1);
  const { leaves, named, grades } = reading;
  if (leaves > MAX_LEAVES)
    fault(reading, [], `has ${leaves} requirements; at most ${MAX_LEAVES} are accepted`);
  if (named > MAX_COURSES)
    fault(reading, [], `names ${named} courses and runs; at most ${MAX_COURSES} are accepted`);
  if (grades > MAX_GRADES)
    fault(reading, [], `requires ${grades} grades; at most ${MAX_GRADES} are accepted`);
  return reading.faults === 0 ? read : undefined;
}

function fault(reading: Reading, path: Path, message: string): void {
  reading.faults++;
  reading.report(path, message);
}

function readPart(reading: Reading, value: unknown, path: Path, depth: number): Requirement | undefined {
  if (depth > MAX_DEPTH) {
    fault(reading, path, `is nested too deeply: at most ${MAX_DEPTH} levels are accepted`);
    return undefined;
  }
  const kinds = isObject(value) ? KINDS.filter((kind) => Object.hasOwn(value, kind)) : [];
  const [kind] = kinds;
  if (!isObject(value) || kind === undefined || kinds.length > 1) {
    const found = kinds.length > 1 ? `, but has ${kinds.join(" and ")}` : "";
    fault(reading, path, `must be an object with exactly one of ${KINDS.join(", ")}${found}`);
    return undefined;
  }
  const unknown = Object.keys(value).find((name) => name !== kind && !MEMBERS[kind].includes(name));
  if (unknown !== undefined) {
    const others = MEMBERS[kind].length === 0 ? "" : `; supported are ${MEMBERS[kind].join(", ")}`;
    fault(reading, [...path, unknown], `is not supported with ${kind}${others}`);
  }
  switch (kind) {
    case "all":
    case "any":
      return readGroup(reading, kind, value[kind], [...path, kind], depth, (all) =>
        kind === "all" ? all : 1,
      );
    case "at_least":
      return readGroup(reading, kind, value.of, [...path, "of"], depth, (all) => {
        const count = value.at_least;
        if (Number.isInteger(count) && Number(count) >= 1 && Number(count) <= all) return Number(count);
        fault(reading, [...path, kind], `must be a whole number from 1 to ${all}, the number of parts`);
        return all;
      });
    default:
      reading.leaves++;
      return kind === "holds" ? readCredential(reading, value, path) : readResult(reading, kind, value, path);
  }
}

function readGroup(
  reading: Reading,
  kind: RequirementGroup["kind"],
  parts: unknown,
  path: Path,
  depth: number,
  count: (all: number) => number,
): RequirementGroup | undefined {
  if (!Array.isArray(parts) || parts.length === 0) {
    fault(reading, path, "must be a list of at least one requirement");
    return undefined;
  }
  const read = parts
    .slice(0, MAX_LEAVES + 1)
    .flatMap((each, index) => readPart(reading, each, [...path, index], depth + 1) ?? []);
  if (parts.length > MAX_LEAVES)
    fault(reading, path, `has ${parts.length} parts; at most ${MAX_LEAVES} are accepted`);
  return { kind, count: count(parts.length), parts: read };
}

function readResult(
  reading: Reading,
  kind: RequiredResult["kind"],
  value: Readonly<Record<string, unknown>>,
  path: Path,
): RequiredResult | undefined {
  const courseKeys = readKeys(reading, value, path, "course");
  const criteria = readCriteria(reading, kind, value, path);
  return criteria && { kind, criteria, courseKeys };
}

function readCriteria(
  reading: Reading,
  kind: RequiredResult["kind"],
  value: Readonly<Record<string, unknown>>,
  path: Path,
): Criteria | undefined {
  const checked = <T>(schema: z.ZodType<T>, name: string): T | undefined => {
    const { data, error } = schema.safeParse(value[name]);
    for (const issue of error?.issues ?? [])
      fault(reading, [...path, name, ...(issue.path as (string | number)[])], issue.message);
    return data;
  };
  switch (kind) {
    case "grade": {
      const fractions = checked(requiredGrades, "grade");
      reading.grades += Object.keys(fractions ?? {}).length;
      const isOwn = checked(usePlatformTotal, "use_platform_total");
      return fractions && { grades: percentages(fractions, isOwn === true) };
    }
    case "completion": {
      const fraction = checked(requiredFraction, "completion");
      return fraction === undefined ? undefined : { completion: roundDecimal(fraction) };
    }
    case "passed":
      return checked(z.literal(true, { error: "must be true" }), "passed") && { passed: true };
    case "letter": {
      const letter = checked(letterGrade, "letter");
      return letter === undefined ? undefined : { letter };
    }
  }
}

function readCredential(
  reading: Reading,
  value: Readonly<Record<string, unknown>>,
  path: Path,
): RequiredCredential | undefined {
  const { success, data } = held.safeParse(value.holds);
  if (!success) {
    fault(
      reading,
      [...path, "holds"],
      "must be an object with a numeric credential_type_id or configuration_id",
    );
    return undefined;
  }
  const contextKeys = readKeys(reading, value, path, "context");
  const { anywhere = false } = value;
  if (typeof anywhere !== "boolean") fault(reading, [...path, "anywhere"], "must be true or false");
  if ("configuration_id" in data) {
    if (contextKeys !== null || anywhere === true)
      fault(
        reading,
        path,
        "has a configuration_id, which already determines the course or path: remove course, runs and anywhere",
      );
    return { kind: "holds", of: { configurationId: data.configuration_id }, contextKeys: null };
  }
  if (contextKeys !== null && anywhere === true)
    fault(reading, path, "has both anywhere and course or runs: remove one of them");
  const of = { credentialTypeId: data.credential_type_id };
  if (anywhere === true) return { kind: "holds", of, contextKeys: null };
  return { kind: "holds", of, ...(contextKeys && { contextKeys }) };
}

/** Reads `course` or `runs`. */
function readKeys(
  reading: Reading,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  what: "course" | "context",
): readonly string[] | null {
  const { course, runs } = value;
  if (course === undefined && runs === undefined) return null;
  if (course !== undefined && runs !== undefined)
    fault(reading, path, "has both course and runs: remove one of them");
  const keys: unknown[] = Array.isArray(runs) ? runs : runs === undefined ? [course] : [];
  if (keys.length === 0) fault(reading, [...path, "runs"], "must be a list of course keys");
  reading.named += keys.length;
  const isKey = (key: unknown) =>
    typeof key === "string" &&
    key.length <= MAX_NAME &&
    (coursePattern.test(key) || (what === "context" && pathPattern.test(key)));
  for (const [index, key] of keys.entries()) {
    if (isKey(key)) continue;
    const shape =
      "it must be a course key, course-v1:{org}+{course}+{run}" +
      (what === "context" ? ", or a path key, path-v1:{org}+{number}+{run}+{group}" : "");
    fault(
      reading,
      runs === undefined ? [...path, "course"] : [...path, "runs", index],
      `is ${shown(key)}; ${shape}`,
    );
  }
  if (new Set(keys).size < keys.length) fault(reading, [...path, "runs"], "names a course twice");
  return keys.filter((key) => typeof key === "string");
}

function shown(value: unknown): string {
  return typeof value === "string" ? quoted(value) : "no text";
}
