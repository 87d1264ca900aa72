import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ended, startOn } from "../commands/run-command.js";
import { createChance } from "./academy.js";
import { type Bench, openBench, PERSONAL } from "./bench.js";
import { createSite, type Site, siteLines } from "./canvas-site.js";
import { type FakeCanvas, startFakeCanvas } from "./fake-canvas.js";
import { known, written } from "./known.js";

/** Every kill costs the start of a process. `CONNECTOR_KILLS=20` kills it more often. */
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 60_000 });

const KILLS = Number(process.env.CONNECTOR_KILLS ?? 8);
const LOCKED = "Another process is reading";

let site: Site;
let server: FakeCanvas;
let bench: Bench;

beforeAll(async () => {
  site = createSite({ courses: 4, learners: 80 });
  server = await startFakeCanvas(site);
  server.pageSize = 6;
  bench = await openBench(server.url, { type: "canvas", completion: true, parts: true, concurrency: 2 });
});
afterAll(async () => {
  await bench.close();
  await server.close();
});

/** Runs `connector sync` until it ends, or is killed at a request: before its answer, or while it works on it. */
async function sync(kill?: { readonly at: number; readonly answers: boolean }) {
  for (;;) {
    const child = startOn({ ...bench.place, LOG_LEVEL: "trace" }, ["connector", "sync", "--json"]);
    let count = 0;
    server.fault = () => {
      if (++count !== kill?.at) return undefined;
      if (kill.answers) setTimeout(() => child.kill("SIGKILL"), 5);
      else child.kill("SIGKILL");
      return kill.answers ? undefined : "hang";
    };
    const { code, out, err } = await ended(child);
    expect(out + err).not.toMatch(PERSONAL);
    if (!err.includes(LOCKED)) return { code, out };
  }
}

test("a sweep of Canvas goes on after kill -9 at random moments, and equals the model", async () => {
  const draw = createChance(KILLS);
  let kills = 0;
  for (let attempt = 0; kills < KILLS && attempt < 3 * KILLS; attempt++) {
    const { code, out } = await sync({ at: 1 + draw(30), answers: draw(2) === 0 });
    if (code === null) kills++;
    else expect(JSON.parse(out).state).toBe("complete"); // it had read all of this before
  }
  expect(kills).toBe(KILLS);
  expect(JSON.parse((await sync()).out)).toMatchObject({ state: "complete", failures: [], withheld: [] });
  expect(await known(bench.database.knex)).toEqual(siteLines(site));
  const before = await written(bench.database.knex);
  expect((await bench.sweep()).state).toBe("complete");
  expect(await written(bench.database.knex)).toEqual(before);
});
