import type { Knex } from "knex";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import { noteErasure } from "../../learners/erased-learners.js";
import { countChanged, writeChanged } from "../../learners/import-records.js";
import { inLearnerTransaction } from "../../learners/learner-transaction.js";
import type { LearnerRecord } from "../../learners/record.js";
import { batchOf } from "../../learners/record-batch.js";
import { countCompletions, withdrawCompletions } from "../../learners/withdraw-completions.js";
import { countInSubsections, withdrawSubsections } from "../../learners/withdraw-subsections.js";
import type { Lookups, Page, Scope, Subsection } from "../driver/driver.js";
import { type CheckedPage, checkPage, type PageCheck } from "./check-page.js";
import { saveClashes } from "./clash-store.js";
import { findIds, findUnread, findUsernames, noteTaken, renamePerson, savePeople } from "./people-store.js";
import { isName } from "./storable.js";
import {
  findAbsent,
  findContextKeys,
  listContexts,
  listSubsections,
  removeSubsections,
  type StageRow,
  saveContexts,
  saveEnrollments,
  savePossible,
  saveStage,
  saveSubsections,
  saveTally,
  type Tally,
} from "./sweep-store.js";

/** What a sweep remembers from page to page, and where it writes what it has read. */
export interface Ledger extends Lookups {
  /**
   * Takes a page together with how far its stage has come then: both, or neither.
   * @param stage undefined for a page outside of a sweep
   */
  commit(page: Page, stage: StageRow | undefined, scope: Scope): Promise<void>;
  /** Takes records that no page has told, such as withdrawals. */
  write(records: readonly LearnerRecord[], tally: Tally): Promise<void>;
  contexts(): Promise<Scope[]>;
  /** Active enrolments that this connector told, and that this sweep has not met. */
  absent(contextKey: string): Promise<string[]>;
  /** Takes note that a learner was erased, or would be: nothing of theirs is withdrawn. */
  forget(username: string): void;
  readonly tally: Tally;
}

interface LedgerDeps extends PageCheck {
  readonly database: Database;
  readonly signal: AbortSignal;
}

/** Writes into the database. @param tally numbers from before an interruption */
export function createLedger(deps: LedgerDeps, sweepId: string, tally: Tally): Ledger {
  const { database, connector, signal } = deps;
  const { knex } = database;
  const inTurn = takeTurns(tally);
  return {
    tally,
    commit: (page, stage, scope) =>
      inTurn(() =>
        inLearnerTransaction(database, signal, async (transaction) => {
          const judged = await checkPage(transaction, page, deps);
          const batch = batchOf(judged.records);
          await saveClashes(transaction, connector, judged.owned);
          const written = await writeChanged(transaction, batch);
          for (const name of judged.erased) await noteErasure(transaction, name);
          for (const person of judged.renamed) await renamePerson(transaction, connector, sweepId, person);
          await savePeople(transaction, connector, sweepId, judged.people);
          for (const { holder, by } of judged.taken) await noteTaken(transaction, connector, holder, by);
          await saveEnrollments(transaction, connector, sweepId, enrollmentsOf(judged.records));
          const contexts = page.contexts?.filter((context) => deps.isIncluded(context.contextKey));
          if (contexts?.length) await saveContexts(transaction, connector, sweepId, contexts);
          const { contextKey } = scope;
          const left = await subsectionsLeft(transaction, connector, contextKey, page);
          const withdrawn =
            left.length > 0 ? await withdrawSubsections(transaction, contextKey, left, page.askedAt) : 0;
          if (left.length > 0) await removeSubsections(transaction, connector, contextKey, left);
          if (page.subsections)
            await saveSubsections(transaction, connector, sweepId, contextKey, page.subsections);
          if (page.possible) await savePossible(transaction, connector, scope.contextKey, page.possible);
          const incomplete = page.hasNoCompletion
            ? await withdrawCompletions(transaction, contextKey, page.askedAt)
            : 0;
          const told = addTo(tallyOf(judged, written), withdrawals({ grades: withdrawn, incomplete }));
          if (!stage) return told;
          await saveStage(transaction, sweepId, stage);
          await saveTally(transaction, sweepId, addTo({ ...tally }, told));
          return told;
        }),
      ),
    write: (records, more) =>
      inTurn(() =>
        inLearnerTransaction(database, signal, async (transaction) => {
          const written = await writeChanged(transaction, batchOf(records));
          await saveEnrollments(transaction, connector, sweepId, enrollmentsOf(records));
          const told = { ...more, ...tallyOf({ records, tally: {} }, written) };
          await saveTally(transaction, sweepId, addTo({ ...tally }, told));
          return told;
        }),
      ),
    contexts: () => listContexts(knex, connector, sweepId),
    unread: (usernames) => findUnread(knex, connector, sweepId, usernames.filter(isName)),
    usernamesOf: (externalIds) => findUsernames(knex, connector, externalIds),
    idsOf: (usernames) => findIds(knex, connector, usernames),
    keysOf: (externalIds) => findContextKeys(knex, connector, externalIds),
    subsectionsOf: (courseKey) => listSubsections(knex, connector, courseKey),
    absent: (contextKey) => findAbsent(knex, connector, sweepId, contextKey),
    forget() {}, // the erasure has removed what they were told by
  };
}

/** Writes nothing: it reads, compares, and keeps in memory what a sweep remembers. */
export function createDryLedger(deps: LedgerDeps): Ledger {
  const { database, connector, signal } = deps;
  const tally: Tally = {};
  const contexts = new Map<string, Scope>();
  const subsections = new Map<string, Map<string, Subsection>>();
  const people = new Map<string, string>();
  const read = new Set<string>();
  const met = new Map<string, Set<string>>();
  const compared = new Set<string>();
  const renamed = new Map<string, string>();
  const inTurn = takeTurns(tally);
  const forgotten = new Set<string>();
  /** Courses that are read at a time may bring the same learner: what the first would write, the second would not. */
  const isFirst = (record: LearnerRecord) => {
    if (record.kind !== "learner") return true;
    const { size } = compared;
    return compared.add(record.username).size > size;
  };
  const compare = async (records: readonly LearnerRecord[], more: Pick<CheckedPage, "tally">) => {
    const first = records.filter(isFirst);
    const changed = await inSnapshot(database, signal, (transaction) =>
      countChanged(transaction, batchOf(first)),
    );
    return tallyOf({ records, tally: more.tally }, changed);
  };
  return {
    tally,
    commit: (page, _, scope) =>
      inTurn(async () => {
        const judged = await inSnapshot(database, signal, (transaction) =>
          checkPage(transaction, page, { ...deps, renamed }),
        );
        for (const { externalId, username } of judged.renamed) renamed.set(externalId, username);
        const told = await compare(judged.records, judged);
        const left = await subsectionsLeft(database.knex, connector, scope.contextKey, page);
        if (left.length > 0) {
          const count = await countInSubsections(
            database.knex,
            scope.contextKey,
            left,
            page.askedAt,
            forgotten,
          );
          addTo(told, withdrawals({ grades: count }));
        }
        if (page.hasNoCompletion) {
          const incomplete = await countCompletions(database.knex, scope.contextKey, page.askedAt, forgotten);
          addTo(told, withdrawals({ incomplete }));
        }
        for (const context of page.contexts ?? []) contexts.set(context.contextKey, context);
        for (const { externalId, username } of [...judged.people, ...judged.renamed]) {
          people.set(externalId, username);
          read.add(username);
        }
        for (const { contextKey, username } of enrollmentsOf(judged.records)) {
          const names = met.get(contextKey) ?? new Set();
          met.set(contextKey, names.add(username));
        }
        if (page.subsections) {
          const listed = page.subsections.map((one) => [one.usageKey, { ...one, possible: null }] as const);
          subsections.set(scope.contextKey, new Map(listed));
        }
        const own = subsections.get(scope.contextKey);
        for (const [usageKey, possible] of page.possible ?? []) {
          const known = own?.get(usageKey);
          if (known) own?.set(usageKey, { ...known, possible });
        }
        return told;
      }),
    write: (records, more) => inTurn(() => compare(records, { tally: more })),
    contexts: async () => [...contexts.values()].sort((a, b) => (a.contextKey < b.contextKey ? -1 : 1)),
    unread: async (usernames) => usernames.filter((username) => !read.has(username)),
    async usernamesOf(externalIds) {
      const known = await findUsernames(database.knex, connector, externalIds);
      const own = externalIds.flatMap((id) => {
        const username = people.get(id);
        return username === undefined ? [] : [[id, username] as const];
      });
      return new Map([...known, ...own]);
    },
    idsOf: (usernames) => findIds(database.knex, connector, usernames),
    keysOf: (externalIds) => findContextKeys(database.knex, connector, externalIds),
    subsectionsOf: async (courseKey) => [...(subsections.get(courseKey)?.values() ?? [])],
    async absent(contextKey) {
      const told = await findAbsent(database.knex, connector, MAX_BIGINT, contextKey);
      return told.filter((username) => !met.get(contextKey)?.has(username) && !forgotten.has(username));
    },
    forget: (username) => void forgotten.add(username),
  };
}

/**
 * Returns the subsections that a course no longer has. A list without any is more likely to be a fault of the
 * platform.
 */
async function subsectionsLeft(
  db: Knex,
  connector: string,
  courseKey: string,
  { subsections, withheld }: Page,
): Promise<string[]> {
  if (!subsections || (subsections.length === 0 && withheld === undefined)) return [];
  const listed = new Set(subsections.map(({ usageKey }) => usageKey));
  const known = await listSubsections(db, connector, courseKey);
  return known.map(({ usageKey }) => usageKey).filter((usageKey) => !listed.has(usageKey));
}

/** Pages are judged by what earlier ones have written, so they are taken one after the other. */
function takeTurns(tally: Tally): (work: () => Promise<Tally>) => Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const turn = before.then(work, work);
    before = turn;
    addTo(tally, await turn);
  };
}

function withdrawals({ grades = 0, incomplete = 0 }): Tally {
  return {
    ...(grades > 0 && { "subsectionGrade.withdrawn": grades }),
    ...(incomplete > 0 && { "completion.withdrawn": incomplete }),
  };
}

/** Above the number of every sweep. */
const MAX_BIGINT = "9223372036854775807";

function enrollmentsOf(records: readonly LearnerRecord[]) {
  return records.flatMap((record) =>
    record.kind === "enrollment"
      ? [{ contextKey: record.learningContextKey, username: record.username, isActive: record.isActive }]
      : [],
  );
}

function tallyOf(
  { records, tally }: Pick<CheckedPage, "records" | "tally">,
  written: ReadonlyMap<string, number>,
): Tally {
  const counts: Tally = { ...tally };
  for (const { kind } of records) counts[`${kind}.read`] = (counts[`${kind}.read`] ?? 0) + 1;
  for (const [kind, count] of written) if (count > 0) counts[`${kind}.written`] = count;
  return counts;
}

function addTo(tally: Tally, more: Tally): Tally {
  for (const [what, count] of Object.entries(more)) tally[what] = (tally[what] ?? 0) + count;
  return tally;
}
