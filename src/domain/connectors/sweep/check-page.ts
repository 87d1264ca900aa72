import type { Knex } from "knex";
import { Problem } from "#foundation/errors.js";
import { isNameOfPlatforms } from "#infrastructure/identity/actors.js";
import { erasedAccount } from "../../learners/connector-accounts.js";
import { findErased, findExcluded, findReadmitted, noteErasure } from "../../learners/erased-learners.js";
import { ownerOf } from "../../learners/owners.js";
import type { ParsePlainRecord, PlainRecord } from "../../learners/plain-record.js";
import type { LearnerRecord } from "../../learners/record.js";
import type { Page, Person } from "../driver/driver.js";
import { deactivatedRecords } from "./deactivated-records.js";
import { findPeople, findTaken } from "./people-store.js";
import { isName } from "./storable.js";
import type { Tally } from "./sweep-store.js";

/** The checked content of a page, ready to be written. */
export interface CheckedPage {
  /** Valid records, including those of erased learners and of learners whose record belongs to another source. */
  readonly records: readonly LearnerRecord[];
  /** Known and new accounts, with their current usernames. */
  readonly people: readonly Person[];
  readonly renamed: readonly Person[];
  /** Usernames that another account has or had. */
  readonly taken: readonly { readonly holder: string; readonly by: string }[];
  /** Number of records left out or rejected, by reason. */
  readonly tally: Tally;
}

/** What is needed to check a page. */
export interface PageCheck {
  readonly connector: string;
  readonly parse: ParsePlainRecord;
  /** Returns whether records of this course or path are accepted. */
  readonly isIncluded: (contextKey: string) => boolean;
}

/** Records the new usernames of accounts whose learners were erased, so that they stay erased. */
export async function keepOutRenamed(
  transaction: Knex.Transaction,
  connector: string,
  page: Page,
): Promise<void> {
  const accounts = new Map(
    peopleOf(page).map(({ externalId, username }) => [erasedAccount(connector, externalId), username]),
  );
  const erased = await findErased(transaction, accounts.keys());
  const names = [...erased.keys()].flatMap((account) => accounts.get(account) ?? []);
  if (names.length === 0) return;
  const known = new Set([
    ...(await findErased(transaction, names)).keys(),
    ...(await findReadmitted(transaction, names)),
  ]);
  for (const name of names) if (!known.has(name)) await noteErasure(transaction, name);
}

/** Returns the accounts of a page without duplicates. */
function peopleOf({ people }: Page): Person[] {
  return [...new Map((people ?? []).map((person) => [person.externalId, person])).values()];
}

/**
 * Decides which parts of a page are to be written, without writing anything. An invalid record is counted and left out,
 * but does not fail its page.
 */
export async function checkPage(db: Knex, page: Page, judging: PageCheck): Promise<CheckedPage> {
  const { connector, parse, isIncluded } = judging;
  const tally: Tally = { ...page.leftOut };
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1;
  };
  const claimed = peopleOf(page);
  const names = new Set([
    ...page.records.flatMap((record) =>
      "username" in record && isName(record.username) ? [record.username] : [],
    ),
    ...claimed.map(({ username }) => username),
  ]);
  const excluded = await findExcluded(db, names);
  const { people, renamed, taken, left } = await identify(
    db,
    connector,
    claimed.filter(({ username }) => !excluded.has(username)),
  );
  const refused = new Set([
    ...(await findTaken(db, connector, [...names])),
    ...taken.map(({ username }) => username),
  ]);

  const records: LearnerRecord[] = [];
  const take = (record: PlainRecord) => {
    try {
      records.push(parse(record, page.requestedAt, ownerOf(connector)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      count(`${record.kind}.rejected`);
      count(`rejected ${fieldOf(error.message)}`);
    }
  };
  for (const record of page.records) {
    if ("username" in record && (refused.has(record.username) || isNameOfPlatforms(record.username)))
      count(`${record.kind}.refused`);
    else if (!isIncluded(contextOf(record))) count(`${record.kind}.excluded`);
    else take(record);
  }
  for (const record of await deactivatedRecords(db, connector, [...left, ...refused])) take(record);
  if (renamed.length > 0) tally.renamed = renamed.length;
  return { records, people, renamed, taken, tally };
}

/** Compares accounts with known accounts that have the same id or the same username. */
async function identify(db: Knex, connector: string, claimed: readonly Person[]) {
  const people: Person[] = [];
  const renamed: Person[] = [];
  const taken: { holder: string; by: string; username: string }[] = [];
  const left: string[] = [];
  if (claimed.length === 0) return { people, renamed, taken, left };
  const known = await findPeople(
    db,
    connector,
    claimed.map(({ externalId }) => externalId),
    claimed.map(({ username }) => username),
  );
  const byId = new Map(known.map((person) => [person.externalId, person]));
  const byName = new Map(
    known.flatMap((person) =>
      [person.username, person.previousUsername]
        .filter((name) => name !== "")
        .map((name) => [name, person] as const),
    ),
  );
  const newNames = new Map<string, string>();
  for (const person of claimed) {
    const { externalId, username } = person;
    const holder = byName.get(username);
    const before = byId.get(externalId);
    const firstInPage = newNames.get(username);
    if (holder && holder.externalId !== externalId) {
      taken.push({ holder: holder.externalId, by: externalId, username });
    } else if (firstInPage !== undefined && firstInPage !== externalId) {
      taken.push({ holder: firstInPage, by: externalId, username });
    } else if (before && before.username !== username) {
      renamed.push(person);
      left.push(before.username);
    } else people.push(person);
    newNames.set(username, firstInPage ?? externalId);
  }
  return { people, renamed, taken, left };
}

/**
 * Returns the field that an error is about, without the dots that separate outcomes. The value is omitted because it
 * could identify someone.
 */
function fieldOf(message: string): string {
  return /^[a-z_]+(?:\.[a-z_]+)?/.exec(message)?.[0].replace(".", " ") ?? "record";
}

/** Returns the course or path of a record; empty for a learner's record. */
function contextOf(record: PlainRecord): string {
  switch (record.kind) {
    case "learner":
      return "";
    case "learningPath":
      return record.pathKey;
    case "enrollment":
      return record.learningContextKey;
    default:
      return record.courseKey;
  }
}
