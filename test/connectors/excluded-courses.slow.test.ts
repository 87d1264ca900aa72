import { afterEach, beforeEach, expect, test } from "vitest";
import { readStatus } from "#domain/connectors/status.js";
import { runSweep } from "#domain/connectors/sweep/run-sweep.js";
import { releaseContexts } from "#domain/connectors/sweep/sweep-store.js";
import { checkFresh } from "#domain/learners/freshness.js";
import { type Bench, openBench } from "./bench.js";
import { createSite, keyOf, type Site, type SiteCourse } from "./canvas-site.js";
import { type FakeCanvas, startFakeCanvas } from "./fake-canvas.js";

let site: Site;
let server: FakeCanvas;
let bench: Bench;
let course: SiteCourse;
let other: SiteCourse;
let key: string;

const { signal } = new AbortController();

beforeEach(async () => {
  site = createSite({ courses: 2, learners: 10 });
  server = await startFakeCanvas(site);
  bench = await openBench(server.url, { type: "canvas" });
  [course, other] = [...site.courses.values()] as [SiteCourse, SiteCourse];
  key = keyOf(course);
  await bench.database.knex.raw(
    `with type as (insert into credential_types (name, retrieval_func, generation_func, custom_options)
       values ('T', 'learning_credentials.processors.retrieve_completions',
         'learning_credentials.generators.generate_pdf_credential', '{}') returning id)
     insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
     select ?, id, '{}' from type`,
    [key],
  );
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

/** Runs a sweep with these settings for `courses`. */
async function sweepOf(courses: Record<string, unknown>) {
  const parts = await bench.openWith({ courses: { only_configured: false, ...courses } });
  return runSweep(parts, { cause: "test" }, signal);
}

const only = (included: SiteCourse) => ({ include: [keyOf(included)] });
const fresh = () => checkFresh(bench.database.knex, key);
const status = () => readStatus(bench.database.knex, "lms");

test("a temporarily excluded course keeps its key, and nothing is issued from its records", async () => {
  await bench.sweep();
  await fresh();
  Object.assign(course, { code: "Renamed 7" });
  expect(await sweepOf(only(other))).toMatchObject({ state: "complete" });
  await expect(fresh()).rejects.toThrow("Nothing is issued from partial or old data");
  expect(await status()).toMatchObject({ excluded: [key], unlisted: [], contexts: 1, incomplete: 0 });
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  await fresh();
  expect(await status()).toMatchObject({ excluded: [], contexts: 2 });
  const known = await bench.database.knex("courses").pluck("course_key");
  expect(known.sort()).toEqual([key, keyOf(other)].sort());
});

test("nothing is issued either if the connector reads nothing any more, or the course is no longer configured", async () => {
  await bench.sweep();
  await sweepOf({ include: ["course-v1:None+*"] });
  await expect(fresh()).rejects.toThrow("Nothing is issued from partial or old data");
  await bench.sweep();
  await fresh();
  await bench.database.knex("credential_configurations").delete();
  await sweepOf({ only_configured: true });
  await expect(fresh()).rejects.toThrow("Nothing is issued from partial or old data");
  expect(await status()).toMatchObject({ excluded: [], contexts: 0 });
});

test("credentials are issued from an excluded course that is handed over, until the connector reads it again", async () => {
  const { knex } = bench.database;
  await bench.sweep();
  await sweepOf(only(other));
  expect(await releaseContexts(knex, "lms", key, { dryRun: true })).toBe(1);
  await expect(fresh()).rejects.toThrow("Nothing is issued");
  expect(await releaseContexts(knex, "lms", key, { dryRun: false })).toBe(1);
  await fresh();
  expect((await status()).excluded).toEqual([]);
  await sweepOf(only(other));
  await fresh();
  server.fault = ({ url }) =>
    url.pathname.includes(`/courses/${course.id}/`) ? { status: 404, body: {} } : undefined;
  expect(await bench.sweep()).toMatchObject({ state: "partial" });
  await expect(fresh()).rejects.toThrow("Nothing is issued");
});
