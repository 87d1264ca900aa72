import { Problem, quoted } from "#foundation/errors.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import type { Functions } from "../../configurations/functions.js";
import type { CourseProgress } from "../../eligibility/course-results.js";
import { type LearnerProgress, readProgressOfAll } from "../../eligibility/learner-progress.js";
import type { Processor } from "../../eligibility/processor.js";
import { type EligibilityEntry, entriesOf } from "../../eligibility/report-eligibility.js";
import {
  findLearner,
  type KnownLearner,
  type LearnerContext,
  listContextsOfLearner,
} from "../../learners/learner-search-store.js";
import { parseLearningContextKey } from "../../learners/learning-context-key.js";
import { type Organisations, withinRanges } from "../../learners/organisations.js";
import { type Clash, findOwnership } from "../../learners/owners.js";
import type { Credential } from "../credential.js";
import { ANY_CREDENTIAL } from "./credential-search.js";
import { searchCredentials } from "./search-store.js";

const MAX_CONTEXTS = 200;

const MAX_CREDENTIALS = 100;

interface LearnerReport {
  readonly record: KnownLearner | undefined;
  /** Source that owns the learner's record; empty if there is no record. */
  readonly owner: string;
  readonly clashes: readonly Clash[];
  readonly contexts: readonly ContextReport[];
  readonly hasMoreContexts: boolean;
  /** Credentials, newest first. */
  readonly credentials: readonly Credential[];
  readonly hasMoreCredentials: boolean;
}

/** A learner's progress and eligibility in a course or learning path. */
export type ContextReport = LearnerContext & {
  readonly courses: readonly CourseProgress[];
  readonly eligibility: readonly EligibilityEntry[];
};

/** @throws Problem `not-found` if the organisations have no data about the learner */
export async function getLearner(
  db: Knex.Transaction,
  functions: Functions<Processor>,
  { username, organisations }: { readonly username: string; readonly organisations: Organisations },
): Promise<LearnerReport> {
  const record = await findLearner(db, username);
  const contexts = await listContextsOfLearner(db, { username, organisations }, MAX_CONTEXTS + 1);
  const filter = { ...ANY_CREDENTIAL, username, organisations };
  const credentials = await searchCredentials(
    db,
    { query: { kind: "everything" }, filter },
    Number.MAX_SAFE_INTEGER,
    MAX_CREDENTIALS + 1,
  );
  const isKnown = contexts.length > 0 || credentials.length > 0;
  if (!isKnown && (record === undefined || organisations !== undefined))
    throw new Problem("not-found", `There is no learner named ${quoted(username)}.`);
  return {
    record,
    ...(await findOwnership(db, username)),
    contexts: await withProgress(db, functions, username, contexts.slice(0, MAX_CONTEXTS)),
    hasMoreContexts: contexts.length > MAX_CONTEXTS,
    credentials: credentials.slice(0, MAX_CREDENTIALS),
    hasMoreCredentials: credentials.length > MAX_CREDENTIALS,
  };
}

async function withProgress(
  db: Knex,
  functions: Functions<Processor>,
  username: string,
  contexts: readonly LearnerContext[],
): Promise<ContextReport[]> {
  const requested = contexts.map(({ learningContextKey }) => ({
    username,
    learningContextKey,
    retrievalFunc: "",
  }));
  const all = await readProgressOfAll(db, requested);
  return contexts.map((context, index) => {
    const progress = all[index] as LearnerProgress;
    const key = parseLearningContextKey(context.learningContextKey);
    return { ...context, courses: progress.courses, eligibility: entriesOf(progress, functions, key) };
  });
}

/** Counts credentials by learner. Leaves out learners without credentials. */
export async function countByLearner(
  db: Knex,
  usernames: readonly string[],
  organisations: Organisations,
): Promise<ReadonlyMap<string, number>> {
  const within = withinRanges("learning_context_key", organisations);
  const rows = await queryRows<{ username: string; count: number }>(
    db,
    `select username, count(*) as count from credentials
     where username = any (?::text[]) and ${within.sql} group by username`,
    [usernames, ...within.bindings],
  );
  return new Map(rows.map(({ username, count }) => [username, count]));
}
