import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Bench, openBench } from "./bench.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";
import type { ReceivedRequest } from "./faulty-server.js";
import { sync } from "./killed-sync.js";
import { expectNothingNew, known } from "./known.js";
import { createPlatformData, type PlatformData, projected } from "./platform-data.js";

/** After each kill, a process is started again, which takes time. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const CONCURRENCY = 2;
let academy: PlatformData;
let lms: FakeOpenEdx;
let bench: Bench;

beforeAll(async () => {
  academy = createPlatformData({ courses: 3, learners: 60, paths: 1 });
  lms = await startFakeOpenEdx(academy);
  lms.pageSize = 10;
  bench = await openBench(lms.url, { completion: "aggregator", paths: true, concurrency: CONCURRENCY });
});
afterAll(async () => {
  await bench.close();
  await lms.close();
});

/** A request at which the process is killed, either before the response or while it processes the response. */
interface Moment {
  readonly path: RegExp;
  readonly isLaterPage?: true;
}

const moments: readonly Moment[] = [
  { path: /retirements/ },
  { path: /courses\/v1/ },
  { path: /grading-info/ },
  { path: /enrollments$/ },
  { path: /enrollments$/, isLaterPage: true },
  { path: /user\/v1\/accounts$/ },
  { path: /gradebook\/[^/]+\/$/ },
  { path: /gradebook\/[^/]+\/$/, isLaterPage: true },
  { path: /subsection/ },
  { path: /completion-aggregator/ },
  { path: /completion-aggregator/, isLaterPage: true },
  { path: /learning-paths/ },
  { path: /learning_paths\/v1\/[^/]+\/enrollments/ },
];

test("a sweep continues after kill -9 at every stage, before a response and while a page is written", async () => {
  let kills = 0;
  for (const answers of [false, true]) {
    for (const { path, isLaterPage } of moments) {
      const at = ({ url }: ReceivedRequest) =>
        path.test(url.pathname) && (!isLaterPage || url.searchParams.has("cursor"));
      const { code, out } = await sync(bench, lms, { at, answers });
      if (code === null) kills++;
      else expect(JSON.parse(out).state).toBe("complete"); // the command ended before this moment
    }
  }
  expect(kills).toBeGreaterThan(moments.length);
  const last = JSON.parse((await sync(bench, lms)).out);
  expect(last).toMatchObject({ state: "complete", failures: [] });
  expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));
  await expectNothingNew(bench);
});
