import type { Query } from "#infrastructure/db/database.js";
import { type Knex, queryRow, queryRows, queryValues } from "#infrastructure/db/query.js";
import { currentEmail } from "./current-email.js";
import { insideWords, type LearnerQuery, matchesLearner } from "./learner-query.js";
import { type Organisations, withinRanges } from "./organisations.js";
import { printedNameSql } from "./printed-name.js";
import { rareWordsFirst, SAMPLE } from "./rare-words.js";
import type { LearnerFact } from "./record.js";

const WINDOW = 10_000;

export type KnownLearner = Omit<
  LearnerFact,
  "kind" | "isDeleted" | "observedAt" | "email" | "owner" | "takesOver"
> & {
  readonly email: string;
  /** The correction of the name, if there is one. `fullName` is then the corrected name. */
  readonly correction: NameCorrection | null;
  /** The correction of the email address, if there is one. `email` is then the corrected address. */
  readonly emailCorrection: EmailCorrection | null;
};

interface NameCorrection {
  /** The name that the record's owner reported before the correction. */
  readonly recordedName: string;
  readonly reason: string;
  readonly correctedBy: string;
  readonly correctedAt: Date;
  /** Whether the owner has reported another value since the correction. */
  readonly isUndecided: boolean;
}

interface EmailCorrection extends Omit<NameCorrection, "recordedName"> {
  /** The address that the record's owner reported before the correction. */
  readonly recordedEmail: string;
}

interface LearnerSearch {
  readonly query: LearnerQuery;
  /** Only learners actively enrolled in this course or path; empty for all learners. */
  readonly learningContextKey: string;
  /**
   * Only learners with a corrected name. With `undecided`, only if the record's owner has reported
   * another name since.
   */
  readonly correction: CorrectionFilter;
  /** Only learners with a corrected email address. `undecided` has the same meaning as for names. */
  readonly emailCorrection: CorrectionFilter;
  readonly organisations: Organisations;
}

type CorrectionFilter = "any" | "undecided" | undefined;

const columns = `username, ${currentEmail()} as email, ${printedNameSql()} as "fullName", is_active as "isActive", locale,
  learner_id as "learnerId", attributes, full_name as "recordedName", correction_reason as reason,
  corrected_by as "correctedBy", corrected_at as "correctedAt", full_name <> correction_of as "isUndecided",
  case when corrected_email is not null then json_build_object('recordedEmail', email,
    'reason', email_correction_reason, 'correctedBy', email_corrected_by, 'isUndecided', email <> email_correction_of)
  end as "emailCorrection", email_corrected_at as "emailCorrectedAt"`;

type Row = Omit<KnownLearner, "correction" | "emailCorrection"> &
  Omit<NameCorrection, "correctedAt"> & {
    readonly correctedAt: Date | null;
    readonly emailCorrection: Omit<EmailCorrection, "correctedAt"> | null;
    readonly emailCorrectedAt: Date | null;
  };

function learnerIn({
  recordedName,
  reason,
  correctedBy,
  correctedAt,
  isUndecided,
  emailCorrection,
  emailCorrectedAt,
  ...learner
}: Row): KnownLearner {
  const correction = correctedAt && { recordedName, reason, correctedBy, correctedAt, isUndecided };
  return {
    ...learner,
    correction,
    emailCorrection:
      emailCorrection && emailCorrectedAt ? { ...emailCorrection, correctedAt: emailCorrectedAt } : null,
  };
}

/**
 * Lists learners ordered by username. If no word begins with the search words, finds learners whose words contain them.
 */
export async function searchLearners(
  db: Knex,
  search: LearnerSearch,
  afterUsername: string,
  limit: number,
): Promise<KnownLearner[]> {
  const found = await searchByPage(db, search, afterUsername, limit);
  const inside = found.length === 0 ? insideWords(search.query) : undefined;
  if (!inside) return found;
  if (afterUsername !== "" && (await searchByPage(db, search, "", 1)).length > 0) return found;
  return searchByPage(db, { ...search, query: inside }, afterUsername, limit);
}

/**
 * Scans the next rows first. Only if they don't fill the page, looks up all matches by index. For rare words, a small
 * sample of the next rows shows early that they can't fill the page.
 */
async function searchByPage(
  db: Knex,
  search: LearnerSearch,
  afterUsername: string,
  limit: number,
): Promise<KnownLearner[]> {
  if (search.query.kind === "nothing") return [];
  for (const window of windowsOf(search)) {
    const next = await searchNext(db, search, afterUsername, { limit, window });
    if (next.length === limit) return next.map(learnerIn);
    if (next.length * (WINDOW / window) < limit) break;
  }
  return (await searchAll(db, search, afterUsername, limit)).map(learnerIn);
}

/** Returns how many of the next rows to scan, first in a sample and then in full. */
function windowsOf({ query, correction, emailCorrection }: LearnerSearch): readonly number[] {
  if (query.kind === "email" || correction || emailCorrection) return [];
  return query.kind === "words" || query.kind === "inside" ? [SAMPLE, WINDOW] : [WINDOW];
}

async function searchNext(
  db: Knex,
  search: LearnerSearch,
  afterUsername: string,
  { limit, window }: { readonly limit: number; readonly window: number },
): Promise<Row[]> {
  const found = isFound({ ...search, learningContextKey: "" });
  const { learningContextKey } = search;
  const next =
    learningContextKey === ""
      ? { sql: `select * from learners where username > ? order by username limit ${window}`, bindings: [] }
      : {
          sql: `select learners.* from enrollments join learners using (username)
            where learning_context_key = ? and enrollments.is_active and not enrollments.is_deleted and username > ?
            order by username limit ${window}`,
          bindings: [learningContextKey],
        };
  return queryRows<Row>(
    db,
    `select ${columns} from (${next.sql}) as learners where ${found.sql} order by username limit ?`,
    [...next.bindings, afterUsername, ...found.bindings, limit],
  );
}

async function searchAll(
  db: Knex,
  search: LearnerSearch,
  afterUsername: string,
  limit: number,
): Promise<Row[]> {
  const found = await soughtInIndexes(db, search, afterUsername);
  return queryRows<Row>(
    db,
    `with found as materialized (select username from learners where username > ? and ${found.sql})
     select ${columns} from learners
     where username in (select username from found order by username limit ?) order by username`,
    [afterUsername, ...found.bindings, limit],
  );
}

/** Returns the condition of the search in a form that uses the indexes. */
function soughtInIndexes(db: Knex, search: LearnerSearch, afterUsername: string): Promise<Query> {
  const next = `select search_words from learners where username > ? order by username limit ${SAMPLE}`;
  return rareWordsFirst(db, search.query, { sql: next, bindings: [afterUsername] }, (query) =>
    isFound({ ...search, query }),
  );
}

function isFound({
  query,
  learningContextKey,
  correction,
  emailCorrection,
  organisations,
}: LearnerSearch): Query {
  const matching = matchesLearner(query);
  const inOrganisations = belongsTo(organisations);
  const enrolled =
    learningContextKey === ""
      ? { sql: "true", bindings: [] }
      : {
          sql: `exists (
            select from enrollments where learning_context_key = ? and enrollments.username = learners.username
              and enrollments.is_active and not enrollments.is_deleted
          )`,
          bindings: [learningContextKey],
        };
  return {
    sql: `not learners.is_deleted and ${matching.sql} and ${enrolled.sql} and ${inOrganisations.sql}
      and ${correctionSql(correction, correctedName)} and ${correctionSql(emailCorrection, correctedEmail)}`,
    bindings: [...matching.bindings, ...enrolled.bindings, ...inOrganisations.bindings],
  };
}

const correctedName = { corrected: "corrected_name", recorded: "full_name", before: "correction_of" };
const correctedEmail = { corrected: "corrected_email", recorded: "email", before: "email_correction_of" };

function correctionSql(filter: CorrectionFilter, columns: typeof correctedName): string {
  if (filter === undefined) return "true";
  const isCorrected = `learners.${columns.corrected} is not null`;
  return filter === "any"
    ? isCorrected
    : `${isCorrected} and learners.${columns.recorded} <> learners.${columns.before}`;
}

/**
 * SQL: whether a learner belongs to one of the organisations, through an enrolment or a credential in one of their
 * courses or paths.
 */
function belongsTo(organisations: Organisations): Query {
  if (organisations === undefined) return { sql: "true", bindings: [] };
  const { sql, bindings } = withinRanges("learning_context_key", organisations);
  return {
    sql: `(
      exists (select from enrollments where enrollments.username = learners.username and not is_deleted and ${sql})
      or exists (select from credentials where credentials.username = learners.username and ${sql})
    )`,
    bindings: [...bindings, ...bindings],
  };
}

export async function findLearner(db: Knex, username: string): Promise<KnownLearner | undefined> {
  const row = await queryRow<Row>(
    db,
    `select ${columns} from learners where username = ? and not is_deleted`,
    [username],
  );
  return row && learnerIn(row);
}

/** A course or learning path in which the learner is or was enrolled. */
export interface LearnerContext {
  readonly learningContextKey: string;
  /** Empty if the course or path has no record. */
  readonly displayName: string;
  readonly isEnrolled: boolean;
}

/** Lists the courses and learning paths in which a learner is or was enrolled, ordered by key. */
export async function listContextsOfLearner(
  db: Knex,
  { username, organisations }: { username: string; organisations: Organisations },
  limit: number,
): Promise<LearnerContext[]> {
  const within = withinRanges("key", organisations);
  return queryRows<LearnerContext>(
    db,
    `select key as "learningContextKey", coalesce(course.display_name, path.display_name, '') as "displayName",
       bool_or(is_enrolled) as "isEnrolled"
     from (
       select learning_context_key, is_active from enrollments where username = ? and not is_deleted
       union select course_key, false from subsection_grades where username = ? and not is_deleted
       union select course_key, false from course_grades where username = ? and not is_deleted
       union select course_key, false from completions where username = ? and not is_deleted
     ) as known (key, is_enrolled)
     left join courses course on course.course_key = key and not course.is_deleted
     left join learning_paths path on path.path_key = key and not path.is_deleted
     where ${within.sql}
     group by key, course.display_name, path.display_name order by key limit ?`,
    [username, username, username, username, ...within.bindings, limit],
  );
}

export async function longestNames(
  db: Knex,
  learningContextKey: string,
  limit: number,
): Promise<readonly string[]> {
  return queryValues<string>(
    db,
    `select name
    from (
      select distinct ${printedNameSql()} as name
      from enrollments join learners using (username)
      where learning_context_key = ? and enrollments.is_active and not enrollments.is_deleted
        and not learners.is_deleted
    ) as names
    order by char_length(name) desc, name limit ?`,
    [learningContextKey, limit],
  );
}
