import type { Particulars, UsedParticulars } from "#formats/rendering/generator.js";
import { type Day, startOfDay } from "#foundation/calendar/day.js";

/** Facts from an imported list of learners. They replace facts from records and options. */
export interface GivenFacts {
  /** A percentage. */
  readonly grade?: number;
  /** As written on the credential's grading scale, for example `B+` or `1.3`. */
  readonly letter?: string;
  readonly passed?: boolean;
  readonly hours?: number;
  readonly learnerId?: string;
  readonly awardDate?: { readonly day: Day; readonly text: string };
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A fact that the design doesn't print: the name of a field in the API, or the key of an attribute. */
export interface UnprintedFact {
  readonly kind: "unprinted_fact" | "unprinted_attribute";
  readonly name: string;
}

export interface GivenRow {
  readonly username: string;
  readonly particulars: Particulars;
  /** The award date, for example `2026-06-30`. */
  readonly awarded?: string;
  readonly awarded_at?: Date;
}

/**
 * Returns the facts that the design prints, and the names of facts that it doesn't print. An award date becomes the
 * start of that day.
 */
export function printedFactsOf(
  stated: ReadonlyMap<string, GivenFacts>,
  used: UsedParticulars,
  timeZone: string,
): { readonly rows: readonly GivenRow[]; readonly unprinted: readonly UnprintedFact[] } {
  const unprinted = new Map<string, UnprintedFact>();
  const leaveOut = (kind: UnprintedFact["kind"], name: string) =>
    unprinted.set(`${kind} ${name}`, { kind, name });
  const rows = [...stated].map(([username, facts]): GivenRow => {
    const { grade, letter, passed, hours, learnerId, awardDate, attributes = {} } = facts;
    if (grade !== undefined && !used.grade) leaveOut("unprinted_fact", "grade");
    if (letter !== undefined && !used.letter) leaveOut("unprinted_fact", "letter_grade");
    if (passed !== undefined && !used.passed) leaveOut("unprinted_fact", "passed");
    if (hours !== undefined && !used.hours) leaveOut("unprinted_fact", "hours");
    if (learnerId !== undefined && !used.learnerId) leaveOut("unprinted_fact", "learner_id");
    for (const key of Object.keys(attributes)) {
      if (!used.learner.includes(key) && !used.enrollment.includes(key)) leaveOut("unprinted_attribute", key);
    }
    const learner = chosen(attributes, used.learner);
    const enrollment = chosen(attributes, used.enrollment);
    const particulars = {
      ...(grade !== undefined && used.grade && { grade }),
      ...(letter !== undefined && used.letter && { letter }),
      ...(passed !== undefined && used.passed && { passed }),
      ...(hours !== undefined && used.hours && { hours }),
      ...(learnerId !== undefined && used.learnerId && { learner_id: learnerId }),
      ...(learner && { learner }),
      ...(enrollment && { enrollment }),
    };
    const awarded = awardDate && { awarded: awardDate.text, awarded_at: startOfDay(awardDate.day, timeZone) };
    return { username, particulars, ...awarded };
  });
  return { rows, unprinted: [...unprinted.values()] };
}

function chosen(
  attributes: Readonly<Record<string, string>>,
  keys: readonly string[],
): Record<string, string> | undefined {
  const entries = Object.entries(attributes).filter(([key]) => keys.includes(key));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** SQL: particulars in which facts from a list replace others. Both arguments are jsonb, and may be null. */
export function withGivenFactsSql(particulars: string, stated: string): string {
  const merged = (of: string) =>
    `nullif(coalesce(${particulars} -> '${of}', '{}') || coalesce(${stated} -> '${of}', '{}'), '{}')`;
  return `case when coalesce(${stated}, '{}') = '{}' then ${particulars} else
    coalesce(${particulars}, '{}') || ${stated} || jsonb_strip_nulls(jsonb_build_object(
      'learner', ${merged("learner")}, 'enrollment', ${merged("enrollment")})) || jsonb_build_object('given', ${stated}) end`;
}

/**
 * Returns the particulars of a successor. If its predecessor was issued with facts from a list, these facts replace the
 * corresponding particulars.
 */
export function withGivenFacts(particulars: Particulars, before: Particulars | null): Particulars {
  const stated = before?.given;
  if (!stated) return particulars;
  const learner = { ...particulars.learner, ...stated.learner };
  const enrollment = { ...particulars.enrollment, ...stated.enrollment };
  return {
    ...particulars,
    ...stated,
    ...(Object.keys(learner).length > 0 && { learner }),
    ...(Object.keys(enrollment).length > 0 && { enrollment }),
    given: stated,
  };
}
