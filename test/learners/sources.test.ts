import { pino } from "pino";
import { expect, test } from "vitest";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { importRecords, writeRecords } from "#domain/learners/import-records.js";
import { inLearnerTransaction } from "#domain/learners/learner-transaction.js";
import { API_OWNER, NOBODY, ownerOf } from "#domain/learners/owners.js";
import { parsePlainRecord } from "#domain/learners/parse-record.js";
import { batchOf } from "#domain/learners/record-batch.js";
import { ltiOwner } from "#domain/lti/people.js";
import { readSpreadsheet } from "#domain/rosters/spreadsheet.js";
import { readTable } from "#foundation/text/tables/read-table.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { createChance } from "../connectors/platform-data.js";
import { givenDatabase } from "../support/database.js";

const at = givenDatabase();
const log = pino({ level: "silent" });
const { signal } = new AbortController();

/** The stored data of a learner, and whether an erasure is recorded. */
interface Known {
  readonly name: string | undefined;
  readonly owner: string;
  readonly isErased: boolean;
}

/** A source of learner data: its call, and the expected data afterwards. */
interface Source {
  readonly does: string;
  readonly report: (username: string, fullName: string, now: Date) => Promise<unknown>;
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
    report: (username, fullName, now) =>
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
    report: (username, fullName, now) =>
      importRecords(at.database, [parsePlainRecord(learner(username, fullName), now, API_OWNER)], signal),
    after: ofApi(() => true),
  },
  {
    does: "the API states what was observed long ago",
    report: (username, fullName, now) => {
      const longAgo = new Date(Date.UTC(2040, 0, 1) - now.getTime()); // older with each call
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
    async report(username, fullName) {
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
    report: (username) =>
      eraseLearner(
        { database: at.database, log },
        { username, dryRun: false, erasedBy: COMMAND_LINE },
        signal,
      ).catch(() => {}),
    after: (known) =>
      known.name === undefined && !known.isErased
        ? known
        : { name: undefined, owner: NOBODY, isErased: true },
  },
];

test.each([1, 2, 3, 4])(
  "a learner has the values of the last source that may change them, and other sources change nothing (seed %i)",
  async (seed) => {
    const draw = createChance(seed);
    const username = `learner${seed}`;
    let known: Known = { name: undefined, owner: NOBODY, isErased: false };
    const done: string[] = [];
    for (let step = 0; step < 60; step++) {
      const source = sources[draw(sources.length)] as Source;
      await source.report(username, `Name ${step}`, await later());
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

/** Returns a time at least one millisecond after the call. */
async function later(): Promise<Date> {
  const before = Date.now();
  while (Date.now() === before) await new Promise((resolve) => setImmediate(resolve));
  return new Date();
}
