import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ended, startOn } from "../commands/run-command.js";
import { type Academy, createAcademy, projected } from "./academy.js";
import { type Bench, openBench, PERSONAL } from "./bench.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";
import type { Asked } from "./faulty-server.js";
import { known, written } from "./known.js";

/** Every kill costs the start of a process. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const CONCURRENCY = 2;
let academy: Academy;
let lms: FakeOpenEdx;
let bench: Bench;

beforeAll(async () => {
  academy = createAcademy({ courses: 3, learners: 60, paths: 1 });
  lms = await startFakeOpenEdx(academy);
  lms.pageSize = 10;
  bench = await openBench(lms.url, { completion: "aggregator", paths: true, concurrency: CONCURRENCY });
});
afterAll(async () => {
  await bench.close();
  await lms.close();
});

/** Ends a process without a warning, when it asks for this: before the answer, or while it works on it. */
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

const LOCKED = "Another process is reading";

/** Runs `connector sync` until it ends, or is killed. The lock of a killed one goes with its connection. */
async function sync(kill?: { readonly at: (asked: Asked) => boolean; readonly answers: boolean }) {
  for (;;) {
    const child = startOn({ ...bench.place, LOG_LEVEL: "trace" }, ["connector", "sync", "--json"]);
    lms.fault = (asked) => {
      if (!kill?.at(asked)) return undefined;
      lms.fault = () => undefined;
      if (kill.answers) setTimeout(() => child.kill("SIGKILL"), 5);
      else child.kill("SIGKILL");
      return kill.answers ? undefined : "hang";
    };
    const { code, out, err } = await ended(child);
    expect(out + err).not.toMatch(PERSONAL);
    if (!err.includes(LOCKED)) return { code, out, err };
  }
}

test("A4: a sweep goes on after kill -9 at every stage, before an answer and while a page is written", async () => {
  let kills = 0;
  for (const answers of [false, true]) {
    for (const { path, isLaterPage } of moments) {
      const at = ({ url }: Asked) =>
        path.test(url.pathname) && (!isLaterPage || url.searchParams.has("cursor"));
      const { code, out } = await sync({ at, answers });
      if (code === null) kills++;
      else expect(JSON.parse(out).state).toBe("complete"); // it had asked for all of this before
    }
  }
  expect(kills).toBeGreaterThan(moments.length);
  const last = JSON.parse((await sync()).out);
  expect(last).toMatchObject({ state: "complete", failures: [] });
  expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));
  const before = await written(bench.database.knex);
  expect((await bench.sweep()).state).toBe("complete");
  expect(await written(bench.database.knex)).toEqual(before);
});
