import type { Knex } from "#infrastructure/db/query.js";
import { clashesOf, saveClashes } from "../../learners/connector-clashes.js";
import { findAbsent, saveEnrollments } from "../../learners/connector-enrollments.js";
import {
  findIds,
  findUnreadUsernames,
  findUsernames,
  noteTaken,
  renamePerson,
  savePeople,
} from "../../learners/connector-people.js";
import { type WrittenRecords, writeRecords } from "../../learners/import-records.js";
import { ownerOf } from "../../learners/owners.js";
import type { LearnerRecord } from "../../learners/record.js";
import { batchOf } from "../../learners/record-batch.js";
import { withdrawCompletions } from "../../learners/withdraw-completions.js";
import { withdrawSubsections } from "../../learners/withdraw-subsections.js";
import type { Lookups, RecordPage, Scope } from "../driver/driver.js";
import { checkPage, eraseRenamed, type PageCheck } from "./check-page.js";
import { isName } from "./storable.js";
import { createQueue, type Storage } from "./storage.js";
import {
  findContextKeys,
  listContexts,
  listSubsections,
  removeSubsections,
  type StageRow,
  type SweepTally,
  saveContexts,
  savePossible,
  saveStage,
  saveSubsections,
  saveTally,
} from "./sweep-store.js";

/** The state that a sweep keeps between pages. The sweep writes its records through the ledger. */
export interface Ledger extends Lookups {
  /**
   * Writes a page and the progress of its stage in one transaction.
   * @param stage undefined for a page read outside a sweep
   */
  commit(page: RecordPage, stage: StageRow | undefined, scope: Scope): Promise<void>;
  /** Writes records that don't come from a page, for example withdrawals. */
  write(records: readonly LearnerRecord[], tally: SweepTally): Promise<void>;
  contexts(): Promise<Scope[]>;
  /** Returns the usernames of active enrolments that this connector has reported, but that this sweep has not found. */
  absent(contextKey: string): Promise<string[]>;
  readonly tally: SweepTally;
}

interface LedgerDeps extends PageCheck {
  readonly storage: Storage;
}

/** @param tally counts from before an interruption */
export function createLedger(deps: LedgerDeps, sweepId: string, tally: SweepTally): Ledger {
  const { storage, connector } = deps;
  const { query } = storage;
  /** Pages are written one after the other, because each page is checked against the records of earlier pages. */
  const queue = createQueue();
  const inTurn = async (work: () => Promise<SweepTally>) => void addTo(tally, await queue(work));
  return {
    tally,
    commit: (page, stage, scope) =>
      inTurn(() =>
        storage.transaction(async (transaction) => {
          const { contextKey } = scope;
          await eraseRenamed(transaction, connector, page);
          const left = await subsectionsLeft(transaction, connector, contextKey, page);
          const { checked, accepted, owners, pageTally } = await storage.write(
            transaction,
            usernamesOf(page),
            async (writing) => {
              const checked = await checkPage(writing, page, deps);
              const written = await writeRecords(writing, batchOf(checked.records), ownerOf(connector));
              const grades =
                left.length > 0 ? await withdrawSubsections(writing, contextKey, left, page.requestedAt) : 0;
              const incomplete = page.hasNoCompletion
                ? await withdrawCompletions(writing, contextKey, page.requestedAt)
                : 0;
              const pageTally = addTo({ ...checked.tally }, tallyOf(written), {
                "subsectionGrade.withdrawn": grades,
                "completion.withdrawn": incomplete,
              });
              return { ...written, checked, pageTally };
            },
          );
          const clashes = clashesOf(owners, checked.records);
          addTo(pageTally, {
            "learner.clashing": clashes.filter(({ differs }) => differs.length > 0).length,
          });
          await saveClashes(transaction, connector, clashes);
          for (const person of checked.renamed) await renamePerson(transaction, connector, sweepId, person);
          await savePeople(transaction, connector, sweepId, checked.people);
          for (const { holder, by } of checked.taken) await noteTaken(transaction, connector, holder, by);
          await saveEnrollments(transaction, connector, sweepId, enrollmentsOf(accepted));
          const contexts = page.contexts?.filter((context) => deps.isIncluded(context.contextKey));
          if (contexts?.length) await saveContexts(transaction, connector, sweepId, contexts);
          if (left.length > 0) await removeSubsections(transaction, connector, contextKey, left);
          if (page.subsections)
            await saveSubsections(transaction, connector, sweepId, contextKey, page.subsections);
          if (page.possible) await savePossible(transaction, connector, contextKey, page.possible);
          if (!stage) return pageTally;
          await saveStage(transaction, sweepId, stage);
          await saveTally(transaction, sweepId, addTo({ ...tally }, pageTally));
          return pageTally;
        }),
      ),
    write: (records, more) =>
      inTurn(() =>
        storage.transaction(async (transaction) => {
          const written = await storage.write(transaction, [], (writing) =>
            writeRecords(writing, batchOf(records), ownerOf(connector)),
          );
          await saveEnrollments(transaction, connector, sweepId, enrollmentsOf(written.accepted));
          const pageTally = addTo({ ...more }, tallyOf(written));
          await saveTally(transaction, sweepId, addTo({ ...tally }, pageTally));
          return pageTally;
        }),
      ),
    contexts: () => query((db) => listContexts(db, connector, sweepId)),
    unread: (usernames) =>
      query((db) => findUnreadUsernames(db, connector, sweepId, usernames.filter(isName))),
    usernamesOf: (externalIds) => query((db) => findUsernames(db, connector, externalIds)),
    idsOf: (usernames) => query((db) => findIds(db, connector, usernames)),
    keysOf: (externalIds) => query((db) => findContextKeys(db, connector, externalIds)),
    subsectionsOf: (courseKey) => query((db) => listSubsections(db, connector, courseKey)),
    absent: (contextKey) => query((db) => findAbsent(db, connector, sweepId, contextKey)),
  };
}

/**
 * Returns subsections that the course no longer has. Returns none if the new list is empty and the page doesn't say why
 * (`withheld`), because the empty list is then probably a fault of the platform.
 */
async function subsectionsLeft(
  db: Knex,
  connector: string,
  courseKey: string,
  { subsections, withheld }: RecordPage,
): Promise<string[]> {
  if (!subsections || (subsections.length === 0 && withheld === undefined)) return [];
  const listed = new Set(subsections.map(({ usageKey }) => usageKey));
  const recordedSubsections = await listSubsections(db, connector, courseKey);
  return recordedSubsections.map(({ usageKey }) => usageKey).filter((usageKey) => !listed.has(usageKey));
}

function usernamesOf({ records }: RecordPage): string[] {
  return records.flatMap((record) => ("username" in record ? [record.username] : []));
}

function enrollmentsOf(records: readonly LearnerRecord[]) {
  return records.flatMap((record) =>
    record.kind === "enrollment"
      ? [{ contextKey: record.learningContextKey, username: record.username, isActive: record.isActive }]
      : [],
  );
}

function tallyOf({ rows, accepted, erased, ownedElsewhere }: WrittenRecords): SweepTally {
  const counts: SweepTally = { "learner.owned": ownedElsewhere.length };
  const count = (records: readonly LearnerRecord[], outcome: string) => {
    for (const { kind } of records) counts[`${kind}.${outcome}`] = (counts[`${kind}.${outcome}`] ?? 0) + 1;
  };
  count(accepted, "read");
  count(erased, "erased");
  for (const [kind, written] of rows) counts[`${kind}.written`] = written;
  return counts;
}

function addTo(tally: SweepTally, ...more: readonly SweepTally[]): SweepTally {
  for (const each of more)
    for (const [what, count] of Object.entries(each)) if (count > 0) tally[what] = (tally[what] ?? 0) + count;
  return tally;
}
