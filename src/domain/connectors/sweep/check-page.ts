import { Problem } from "#foundation/errors.js";
import type { Knex } from "#infrastructure/db/query.js";
import { isNameOfPlatforms } from "#infrastructure/identity/actors.js";
import { contextOfRecord } from "../../learners/changed-contexts.js";
import { erasedAccount } from "../../learners/connector-accounts.js";
import type { Person } from "../../learners/connector-people.js";
import { findPeople, findTaken } from "../../learners/connector-people.js";
import { findErased, findExcluded, findReadmitted, noteErasure } from "../../learners/erased-learners.js";
import { ownerOf } from "../../learners/owners.js";
import { parsePlainRecord } from "../../learners/parse-record.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { LearnerRecord } from "../../learners/record.js";
import type { RecordPage } from "../driver/driver.js";
import { deactivatedRecords } from "./deactivated-records.js";
import { isName } from "./storable.js";
import type { SweepTally } from "./sweep-store.js";

interface CheckedPage {
  /**
   * Records to write. They include records of erased learners, and of learners whose record belongs to another source.
   */
  readonly records: readonly LearnerRecord[];
  readonly people: readonly Person[];
  readonly renamed: readonly Person[];
  /** Usernames that belong or belonged to another account. */
  readonly taken: readonly { readonly holder: string; readonly by: string }[];
  /** Number of omitted or rejected records, by reason. */
  readonly tally: SweepTally;
}

export interface PageCheck {
  readonly connector: string;
  /** Returns whether records of this course or path are accepted. */
  readonly isIncluded: (contextKey: string) => boolean;
}

/** Marks the new usernames as erased if accounts of erased learners have been renamed. */
export async function eraseRenamed(
  transaction: Knex.Transaction,
  connector: string,
  page: RecordPage,
): Promise<void> {
  const accounts = new Map(
    peopleOf(page).map(({ externalId, username }) => [erasedAccount(connector, externalId), username]),
  );
  const erased = await findErased(transaction, accounts.keys());
  const names = [...erased.keys()].flatMap((account) => accounts.get(account) ?? []);
  if (names.length === 0) return;
  const recorded = new Set([
    ...(await findErased(transaction, names)).keys(),
    ...(await findReadmitted(transaction, names)),
  ]);
  for (const name of names) if (!recorded.has(name)) await noteErasure(transaction, name);
}

function peopleOf({ people }: RecordPage): Person[] {
  return [...new Map((people ?? []).map((person) => [person.externalId, person])).values()];
}

/**
 * Decides which parts of a page to write. An invalid record is counted and left out. The page's other records are
 * written.
 */
export async function checkPage(db: Knex, page: RecordPage, judging: PageCheck): Promise<CheckedPage> {
  const { connector, isIncluded } = judging;
  const tally: SweepTally = { ...page.leftOut };
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
      records.push(parsePlainRecord(record, page.requestedAt, ownerOf(connector)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      count(`${record.kind}.rejected`);
      count(`rejected ${fieldOf(error.message)}`);
    }
  };
  for (const record of page.records) {
    if ("username" in record && (refused.has(record.username) || isNameOfPlatforms(record.username)))
      count(`${record.kind}.refused`);
    else if (!isIncluded(contextOfRecord(record) ?? "")) count(`${record.kind}.excluded`);
    else take(record);
  }
  for (const record of await deactivatedRecords(db, connector, [...left, ...refused])) take(record);
  if (renamed.length > 0) tally.renamed = renamed.length;
  return { records, people, renamed, taken, tally };
}

async function identify(db: Knex, connector: string, claimed: readonly Person[]) {
  const people: Person[] = [];
  const renamed: Person[] = [];
  const taken: { holder: string; by: string; username: string }[] = [];
  const left: string[] = [];
  if (claimed.length === 0) return { people, renamed, taken, left };
  const recordedPeople = await findPeople(
    db,
    connector,
    claimed.map(({ externalId }) => externalId),
    claimed.map(({ username }) => username),
  );
  const byId = new Map(recordedPeople.map((person) => [person.externalId, person]));
  const byName = new Map(
    recordedPeople.flatMap((person) =>
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
 * Returns the name of the invalid field, under which rejected records are counted. Leaves out the field's value, which
 * could identify someone. Replaces the dot in the name, because the names of other counts use a dot as separator.
 */
function fieldOf(message: string): string {
  return /^[a-z_]+(?:\.[a-z_]+)?/.exec(message)?.[0].replace(".", " ") ?? "record";
}
