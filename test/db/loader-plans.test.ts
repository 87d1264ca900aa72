import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { createConfiguredLookUp } from "#domain/configurations/check-configured.js";
import { createCodeLookUp } from "#domain/credentials/aliases/look-up-alias.js";
import {
  createFileLookUp,
  createMetadataLookUp,
  createVerificationLookUp,
} from "#domain/credentials/verification/look-up-verification.js";
import { createProgressLookUp } from "#domain/eligibility/learner-progress.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { onPool } from "#infrastructure/db/batch-loader.js";
import { query } from "#infrastructure/db/query.js";
import { configure, issue } from "../bench/credentials.js";
import { givenDatabase } from "../support/database.js";

const db = givenDatabase();

/** In a small table, all plans would cost the same. */
const CREDENTIALS = 3000;

beforeAll(async () => {
  const sql = new pg.Client(db.url);
  await sql.connect();
  await issue(sql, await configure(sql, learner.learningContextKey, { Total: 0.5 }), CREDENTIALS);
  await sql.query("analyze credentials");
  await sql.end();
});

const never = new Cancellation();
const learner = {
  username: "ada",
  learningContextKey: "course-v1:Uni+Calc+2026",
  retrievalFunc: "",
};
const uncounted = { count: () => undefined };

/** Functions that look up a single object, by the label of their statement. */
const lookUps: Record<string, () => () => Promise<unknown>> = {
  metadata: () => {
    const lookUp = createMetadataLookUp(onPool(db.database.reads), uncounted);
    return () => lookUp(randomUUID(), never);
  },
  verification: () => {
    const lookUp = createVerificationLookUp(onPool(db.database.reads), uncounted);
    return () => lookUp(randomUUID(), never);
  },
  "verification by file": () => {
    const lookUp = createFileLookUp(db.database, uncounted);
    return () => lookUp(createHash("sha256").update(randomUUID()).digest("hex"), never);
  },
  code: () => {
    const lookUp = createCodeLookUp(onPool(db.database.reads));
    return () => lookUp(randomUUID(), never);
  },
  configured: () => {
    const lookUp = createConfiguredLookUp(db.database);
    return () => lookUp(learner, never);
  },
  progress: () => {
    const lookUp = createProgressLookUp(db.database);
    return () => lookUp(learner, never);
  },
};

describe("a look-up of one thing at a time", () => {
  it.each(Object.keys(lookUps))("is not planned again each time: %s", async (label) => {
    const lookUp = lookUps[label]?.();
    for (let time = 0; time < 20; time++) await lookUp?.();
    const { rows } = await onPool(db.database.reads)(never.signal, (connection) =>
      query<{ reused: number }>(
        connection,
        "plans",
        "select generic_plans::integer as reused from pg_prepared_statements where name ~ ?",
        [`^${label}_[0-9a-f]+$`],
      ),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.reused).toBe(15); // Postgres creates a new plan for each of the first five runs
  });
});
