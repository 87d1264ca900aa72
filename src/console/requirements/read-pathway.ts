import type { JsonObject } from "@bufbuild/protobuf";
import { shorten } from "#foundation/shorten.js";
import { readJson } from "#foundation/text/read-json.js";
import { filledIn } from "../components/isolated.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { isJsonObject } from "../options/read-options.js";
import { countLeaves, keysOf, partsOf } from "./tree.js";

/** Maximum size of a pathway in characters, or of its file in bytes. */
export const MAX_PATHWAY_SIZE = 2_000_000;
/** Maximum number of courses and runs in a tree. */
const MAX_NAMED = 500;
const MAX_FAULTS = 20;

/** Maximum length of a name in an error. */
const MAX_SHOWN = 120;

/** Matches the key of a course run. The service checks the rest of the key. */
const RUN_KEY = /^course-v1:[^+/\s]+\+[^+/\s]+\+[^+/\s]+$/u;

const STEP_FIELDS = ["courses", "programs"];

type Words = Chapters["pathways"]["faults"];

/** A pathway as a requirement tree, or the reasons why it can't be converted. */
type ReadPathway =
  | { readonly title: string; readonly tree: JsonObject }
  | { readonly faults: readonly string[] };

interface Reading {
  readonly words: Words;
  /** Number of the step in the pathway, starting at 1. */
  readonly step: number;
  readonly report: (fault: string) => void;
}

/**
 * Converts a learner pathway of Open edX, as returned by `/api/v1/learner-pathway/<uuid>/` of course-discovery
 * (`LearnerPathwaySerializer` in commit 13714a7a). A learner must complete every step. In each step, the learner must
 * complete at least `min_requirement` of its courses and programs. A course is completed in any of its runs, and a
 * program in all its courses. Reports whatever a tree can't express.
 * @param maxLeaves maximum number of requirements that can be added
 */
export function readPathway(text: string, words: Words, maxLeaves: number): ReadPathway {
  if (text.trim() === "") return { faults: [words.missing] };
  if (text.length > MAX_PATHWAY_SIZE) return { faults: [words.tooLarge] };
  let json: unknown;
  try {
    json = readJson(text);
  } catch (error) {
    return { faults: [filledIn(words.notJson, { reason: shortenedText((error as Error).message) })] };
  }
  if (!isJsonObject(json) || !Array.isArray(json.steps) || json.steps.length === 0)
    return { faults: [words.notPathway] };
  const faults: string[] = [];
  const report = (fault: string) => faults.push(fault);
  const steps = json.steps.map((step, at) => readStep(step, { words, step: at + 1, report }));
  const tree = atLeast(steps.length, steps);
  const [leaves, named] = [countLeaves(tree), countNamed(tree)];
  if (leaves > maxLeaves) report(words.tooManyCourses({ count: leaves, most: maxLeaves }));
  if (named > MAX_NAMED) report(words.tooManyRuns({ count: named, most: MAX_NAMED }));
  return faults.length > 0 ? { faults: faults.slice(0, MAX_FAULTS) } : { title: nameOf(json, ""), tree };
}

function readStep(value: unknown, reading: Reading): JsonObject {
  const { words, step, report } = reading;
  const fields = isJsonObject(value) ? value : {};
  const [courses, programs] = STEP_FIELDS.map((name) => listIn(fields, name, step, reading));
  for (const [name, other] of Object.entries(fields))
    if (Array.isArray(other) && other.length > 0 && !STEP_FIELDS.includes(name))
      report(filledIn(words.unknownList, { step, name: shortenedText(name) }));
  const nodes = [...(courses ?? []), ...(programs ?? [])];
  const parts = [
    ...(courses ?? []).map((each, at) => readCourse(each, at, reading)),
    ...(programs ?? []).map((each, at) => readProgram(each, at, reading)),
  ];
  const { min_requirement: count } = fields;
  if (nodes.length === 0) report(words.emptyStep({ step }));
  else if (!Number.isInteger(count) || Number(count) < 1) report(words.wrongCount({ step }));
  else if (Number(count) > nodes.length)
    report(words.tooFew({ step, count: Number(count), listed: nodes.length }));
  reportDuplicates(nodes, reading);
  return atLeast(Number(count), parts);
}

/**
 * @returns an empty list if the member is missing. A member that isn't a list is reported, and undefined is returned
 */
function listIn(of: JsonObject, name: string, step: number, { words, report }: Reading) {
  const { [name]: list = [] } = of;
  if (Array.isArray(list)) return list;
  report(filledIn(words.notList, { step, name }));
  return undefined;
}

function readCourse(value: unknown, at: number, reading: Reading): JsonObject {
  const { words, step, report } = reading;
  const course = isJsonObject(value) ? value : {};
  const name = nameOf(course, String(at + 1));
  const runs = Array.isArray(course.course_runs) ? course.course_runs : [];
  if (runs.length === 0) report(filledIn(words.noRuns, { step, name }));
  const keys = runs.map((run) => (isJsonObject(run) && typeof run.key === "string" ? run.key : ""));
  const wrong = keys.find((key) => !RUN_KEY.test(key));
  if (wrong !== undefined) report(filledIn(words.wrongRun, { step, name, key: shortenedText(wrong) || "–" }));
  const [only = "", ...others] = new Set(keys);
  return { passed: true, ...(others.length === 0 ? { course: only } : { runs: [only, ...others] }) };
}

function readProgram(value: unknown, at: number, reading: Reading): JsonObject {
  const { words, step, report } = reading;
  const program = isJsonObject(value) ? value : {};
  const courses = Array.isArray(program.courses) ? program.courses : [];
  if (courses.length === 0)
    report(filledIn(words.emptyProgram, { step, name: nameOf(program, String(at + 1)) }));
  reportDuplicates(courses, reading);
  return atLeast(
    courses.length,
    courses.map((each, index) => readCourse(each, index, reading)),
  );
}

/** Reports nodes that are listed twice, because a single result would count twice. */
function reportDuplicates(nodes: readonly unknown[], { words, step, report }: Reading): void {
  const seen = new Set<unknown>();
  for (const node of nodes.filter(isJsonObject)) {
    const id = node.key ?? node.uuid;
    if (id !== undefined && seen.has(id)) report(filledIn(words.twice, { step, name: nameOf(node, "–") }));
    seen.add(id);
  }
}

/** Returns the shortest tree that requires this many of the parts. */
function atLeast(count: number, parts: readonly JsonObject[]): JsonObject {
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  if (count === parts.length) return { all: [...parts] };
  return count === 1 ? { any: [...parts] } : { at_least: count, of: [...parts] };
}

function countNamed(part: JsonObject): number {
  return partsOf(part).reduce((sum, each) => sum + countNamed(each), keysOf(part).length);
}

/** Returns the title and key of a node, for use in an error. */
function nameOf({ title, key, uuid }: JsonObject, otherwise: string): string {
  const id = [key, title ? undefined : uuid].find((each) => typeof each === "string" && each !== "");
  const named = typeof title === "string" ? title.trim() : "";
  const name = [named, ...(typeof id === "string" ? [named === "" ? id : `(${id})`] : [])].join(" ").trim();
  return shortenedText(name) || otherwise;
}

function shortenedText(text: string): string {
  return shorten(text, MAX_SHOWN);
}
