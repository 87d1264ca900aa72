import { expect, test } from "vitest";
import { parsePlainRecord } from "#api/services/requests/parse-plain-record.js";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { importRecords, writeRecords } from "#domain/learners/import-records.js";
import { inLearnerTransaction } from "#domain/learners/learner-transaction.js";
import { API_OWNER, NOBODY, ownerOf } from "#domain/learners/owners.js";
import { batchOf } from "#domain/learners/record-batch.js";
import { ltiOwner } from "#domain/lti/people.js";
import { readSpreadsheet } from "#domain/rosters/spreadsheet.js";
import { readTable } from "#foundation/text/tables/read-table.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { createChance } from "../connectors/academy.js";
import { givenDatabase } from "../support/database.js";

const at = givenDatabase();
const { signal } = new AbortController();

/** What is known of a learner, and whether an erasure is noted. */
interface Known {
  readonly name: string | undefined;
  readonly owner: string;
  readonly isErased: boolean;
}

/** What a source does: the call, and what is known afterwards. */
interface Source {
  readonly does: string;
  readonly tell: (username: string, fullName: string, now: Date) => Promise<unknown>;
  readonly after: (known: Known, fullName: string) => Known;
}

const learner = (username: string, fullName: string) => ({ kind: "learner" as const, username, fullName });

const ofApi = (isTaken: (known: Known) => boolean) => (known: Known, name: string) => {
  const isFree = known.name === undefined || [API_OWNER, NOBODY].includes(known.owner);
  return isTaken(known) && isFree ? { ...known, name, owner: API_OWNER } : known;
};

function platform(does: string, owner: string): Source {
  return {
    does,
    tell: (username, fullName, now) =>
      inLearnerTransaction(at.database, signal, (transaction) =>
        writeRecords(
          transaction,
          batchOf([parsePlainRecord(learner(username, fullName), now, owner)]),
          owner,
        ),
      ),
    after(known, name) {
      const isFree = known.name === undefined ? !known.isErased : [owner, NOBODY].includes(known.owner);
      return isFree ? { ...known, name, owner } : known;
    },
  };
}

const sources: readonly Source[] = [
  {
    does: "the API states them",
    tell: (username, fullName, now) =>
      importRecords(at.database, [parsePlainRecord(learner(username, fullName), now, API_OWNER)], signal),
    after: ofApi(() => true),
  },
  {
    does: "the API states what was observed long ago",
    tell: (username, fullName, now) => {
      const longAgo = new Date(Date.UTC(2040, 0, 1) - now.getTime()); // each time longer
      return importRecords(
        at.database,
        [parsePlainRecord(learner(username, fullName), longAgo, API_OWNER)],
        signal,
      );
    },
    after: ofApi(({ name, isErased }) => name === undefined && !isErased),
  },
  {
    does: "a table has them, without a time",
    async tell(username, fullName) {
      const table = readTable(`learner,course,full name\n${username},course-v1:Uni+C1+2026,${fullName}\n`, {
        most: 10,
      });
      if ("fault" in table) throw new Error(table.fault);
      const { records } = readSpreadsheet(table, "table");
      const parsed = records.map(({ record }) => parsePlainRecord(record, undefined));
      await importRecords(at.database, parsed, signal);
    },
    after: ofApi(({ isErased }) => !isErased),
  },
  platform("a connector reads them", ownerOf("lms")),
  platform("another connector reads them", ownerOf("sis")),
  platform("a platform lists them by LTI", ltiOwner(1)),
  {
    does: "they are erased",
    tell: (username) =>
      eraseLearner(at.database, { username, dryRun: false, erasedBy: COMMAND_LINE }, signal).catch(() => {}),
    after: (known) =>
      known.name === undefined && !known.isErased
        ? known
        : { name: undefined, owner: NOBODY, isErased: true },
  },
];

test.each([1, 2, 3, 4])(
  "a learner is as the last source has stated that may: erased or owned by another, the others change nothing (seed %i)",
  async (seed) => {
    const draw = createChance(seed);
    const username = `learner${seed}`;
    let known: Known = { name: undefined, owner: NOBODY, isErased: false };
    const done: string[] = [];
    for (let step = 0; step < 60; step++) {
      const source = sources[draw(sources.length)] as Source;
      await source.tell(username, `Name ${step}`, await later());
      known = source.after(known, `Name ${step}`);
      done.push(source.does);
      const [row] = await at.database.knex("learners").where({ username, is_deleted: false });
      expect({ name: row?.full_name, owner: row?.owner ?? NOBODY }, done.join(", ")).toEqual({
        name: known.name,
        owner: known.name === undefined ? NOBODY : known.owner,
      });
    }
  },
);

/** Returns a time in another millisecond than what came before. */
async function later(): Promise<Date> {
  const before = Date.now();
  while (Date.now() === before) await new Promise((resolve) => setImmediate(resolve));
  return new Date();
}
