import type { z } from "zod";
import { today } from "#foundation/calendar/day.js";
import { isGraded, pointsOf, type ScoreRange, scoreRange } from "../../learners/one-roster-points.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import { isPartName, type Part, roundedPoints, totalPolicy, totalRecords } from "../driver/course-total.js";
import type { Lookups, RecordPage, Scope } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import type { OneRosterApi } from "./oneroster-api.js";
import type { ReadClass } from "./oneroster-classes.js";
import type { OneRosterSettings } from "./oneroster-settings.js";
import { categories, isActiveRow, lineItems, results } from "./oneroster-shapes.js";

/** A line item that contributes to the grade. */
interface Item extends ScoreRange {
  readonly id: string;
  readonly title: string;
  readonly categoryId: string | undefined;
}

type Result = z.output<typeof results>[number];

interface Gradebook {
  readonly items: readonly Item[];
  /** The line item with the final grade; undefined unless exactly one has the configured title. */
  readonly final: Item | undefined;
  /** Whether a line item with the final grade was deleted. Learners may still have its grade as their total. */
  readonly isFinalDeleted: boolean;
  readonly parts: readonly (Part & { readonly categoryId: string })[];
  /** Why some facts are not known. A missing final line item is a reason only once the class has ended. */
  readonly withheld: string;
}

/** Returns the grading policy, which consists of the total, with categories as its parts. */
export async function gradingPage(
  api: OneRosterApi,
  settings: OneRosterSettings,
  readClass: ReadClass,
  scope: Scope,
): Promise<RecordPage> {
  const { parts, withheld } = await readGradebook(api, settings, readClass, scope);
  const listed = parts.map(({ usageKey, assignmentType }) => ({ usageKey, assignmentType }));
  return { ...totalPolicy(scope, listed, settings.letter_grades), ...(withheld !== "" && { withheld }) };
}

/** Reads the results of learners. Results that are not final yet are recorded as unknown. */
export async function resultsPage(
  api: OneRosterApi,
  settings: OneRosterSettings,
  readClass: ReadClass,
  scope: Scope,
  lookups: Pick<Lookups, "usernamesOf">,
): Promise<RecordPage> {
  const requestedAt = new Date();
  const { items, final, isFinalDeleted, parts } = await readGradebook(api, settings, readClass, scope);
  if (!final && !isFinalDeleted && parts.length === 0) return { requestedAt, records: [], next: null };
  const reported = await api.all("gradebook", "results", `${pathOf(scope)}/results`, results);
  const byStudent = new Map<string, Map<string, Result>>();
  for (const result of reported) {
    const own = byStudent.get(result.student.sourcedId) ?? new Map();
    byStudent.set(result.student.sourcedId, own);
    const itemId = result.lineItem.sourcedId;
    if (isActiveRow(result) || !own.has(itemId)) own.set(itemId, result);
  }
  const { takingPart } = await (await readClass(scope)).students();
  const taking = [...takingPart].filter(([, isTaking]) => isTaking).map(([id]) => id);
  const names = await lookups.usernamesOf(taking);
  const records: PlainRecord[] = [];
  for (const id of taking) {
    const username = names.get(id);
    if (username === undefined) continue;
    const own = byStudent.get(id) ?? new Map();
    const grade = final && own.get(final.id);
    if (final && grade) records.push(...finalRecords(username, scope, final, grade));
    else if (isFinalDeleted) records.push(...totalRecords(username, scope, 0, 0));
    for (const { usageKey, assignmentType, categoryId } of parts) {
      const counted = items.filter((item) => item.categoryId === categoryId && item !== final);
      records.push({
        kind: "subsectionGrade",
        username,
        courseKey: scope.contextKey,
        usageKey,
        assignmentType,
        ...sumOf(counted, own),
      });
    }
  }
  return {
    requestedAt,
    records,
    next: null,
    ...leftOut({ "learner without an account": taking.length - names.size }),
  };
}

/**
 * Returns a final grade in points, as a letter, or both. A retracted or provisional grade is recorded as not attained.
 */
function finalRecords(username: string, scope: Scope, final: Item, grade: Result): PlainRecord[] {
  const { score, textScore: letter } = grade;
  if (!isGraded(grade)) return totalRecords(username, scope, 0, 0);
  if (score !== undefined) {
    const { earned, possible } = pointsOf(grade, final);
    return totalRecords(username, scope, roundedPoints(earned), roundedPoints(possible), { letter });
  }
  const courseKey = scope.contextKey;
  return [
    ...totalRecords(username, scope, 0, 0).filter(({ kind }) => kind === "subsectionGrade"),
    ...(letter === "" ? [] : [{ kind: "courseGrade" as const, username, courseKey, letter }]),
  ];
}

/**
 * Sums up a category. Work that was not handed in is worth 0. As long as any work is ungraded, the category is not
 * attained.
 */
function sumOf(
  items: readonly Item[],
  own: ReadonlyMap<string, Result>,
): { readonly earned: number; readonly possible: number } {
  let [earned, possible] = [0, 0];
  for (const item of items) {
    const points = pointsOf(own.get(item.id), item);
    if (!points.isFinal) return { earned: 0, possible: 0 };
    earned += points.earned;
    possible += points.possible;
  }
  return { earned: roundedPoints(earned), possible: roundedPoints(possible) };
}

/** Returns whether one of the classes has a line item with the configured title of the final grade. */
export async function hasFinal(
  api: OneRosterApi,
  settings: OneRosterSettings,
  scopes: readonly Scope[],
): Promise<boolean> {
  for (const scope of scopes)
    if ((await readItems(api, scope)).items.some((item) => isFinal(item, settings))) return true;
  return false;
}

async function readItems(api: OneRosterApi, scope: Scope) {
  const rows = await api.all("gradebook", "lineItems", `${pathOf(scope)}/lineItems`, lineItems);
  return {
    items: rows.filter(isActiveRow).flatMap(itemOf),
    deleted: rows.filter((row) => !isActiveRow(row)),
  };
}

function isFinal({ title }: Pick<Item, "title">, { final_line_item: wanted }: OneRosterSettings): boolean {
  return title.trim().toLowerCase() === wanted?.toLowerCase();
}

async function readGradebook(
  api: OneRosterApi,
  settings: OneRosterSettings,
  readClass: ReadClass,
  scope: Scope,
): Promise<Gradebook> {
  const { final_line_item: wanted } = settings;
  if (wanted === undefined && !settings.categories)
    return { items: [], final: undefined, isFinalDeleted: false, parts: [], withheld: "" };
  const { items, deleted } = await readItems(api, scope);
  const finals = items.filter((item) => isFinal(item, settings));
  const { endsOn } = await readClass(scope);
  const reasons: string[] = [];
  if (wanted !== undefined && finals.length === 0 && endsOn !== undefined && endsOn <= today())
    reasons.push("the class has ended, but no line item has the title in final_line_item");
  if (finals.length > 1)
    reasons.push(`${finals.length} line items have the title in final_line_item: which is the final grade?`);
  const final = finals.length === 1 ? finals[0] : undefined;
  const parts: Gradebook["parts"][number][] = [];
  if (settings.categories) {
    if (endsOn === undefined)
      reasons.push("the class names no term with an end: its categories are never known");
    else if (endsOn > today())
      reasons.push(`the class runs until ${endsOn}: the results in its categories are known then`);
    else {
      const used = new Set(
        items.flatMap((item) => (item === final || item.categoryId === undefined ? [] : item.categoryId)),
      );
      const all = await api.all("gradebook", "categories", "/categories", categories);
      for (const category of all) if (!isActiveRow(category)) used.delete(category.sourcedId);
      const named = all.filter(({ sourcedId }) => used.has(sourcedId));
      const names = named.map(({ title }) => title.trim().toLowerCase());
      for (const [index, { sourcedId: categoryId }] of named.entries()) {
        const assignmentType = names[index] ?? "";
        if (isPartName(assignmentType) && names.indexOf(assignmentType) === names.lastIndexOf(assignmentType))
          parts.push({ usageKey: `category-${categoryId}`, assignmentType, categoryId });
      }
      if (parts.length < used.size)
        reasons.push("some of its categories have no name, or the same name, so they can't be required");
    }
  }
  const isFinalDeleted = finals.length < 2 && deleted.some((item) => isFinal(item, settings));
  return { items, final, isFinalDeleted, parts, withheld: reasons.join("; ") };
}

function itemOf({
  sourcedId,
  title,
  category,
  resultValueMin,
  resultValueMax,
  resultValue,
}: z.output<typeof lineItems>[number]): Item[] {
  const range = scoreRange(
    resultValueMin ?? resultValue?.resultValueMin,
    resultValueMax ?? resultValue?.resultValueMax,
  );
  return range ? [{ id: sourcedId, title, categoryId: category?.sourcedId, ...range }] : [];
}

function pathOf({ externalId }: Scope): string {
  return `/classes/${encodeURIComponent(externalId)}`;
}
