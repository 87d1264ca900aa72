import { afterEach, expect, test, vi } from "vitest";
import { type Bench, openBench } from "./bench.js";
import { createSite, siteLines } from "./canvas-site.js";
import { startFakeCanvas } from "./fake-canvas.js";
import { startFakeOneRoster } from "./fake-oneroster.js";
import type { FaultyServer, ReceivedRequest } from "./faulty-server.js";
import { sync } from "./killed-sync.js";
import { expectNothingNew, known } from "./known.js";
import { createOneRosterSite, oneRosterLines } from "./oneroster-site.js";
import { createChance } from "./platform-data.js";

/** After each kill, a process is started again, which takes time. `CONNECTOR_KILLS=20` kills more often. */
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 60_000 });

const KILLS = Number(process.env.CONNECTOR_KILLS ?? 8);

let server: FaultyServer;
let bench: Bench;

afterEach(async () => {
  await bench.close();
  await server.close();
});

/**
 * Starts a platform, and a bench that reads it.
 * @returns what the database must contain
 */
async function openCanvas(): Promise<string[]> {
  const site = createSite({ courses: 4, learners: 80 });
  server = Object.assign(await startFakeCanvas(site), { pageSize: 6 });
  bench = await openBench(server.url, { type: "canvas", completion: true, parts: true, concurrency: 2 });
  return siteLines(site);
}

async function openOneRoster(): Promise<string[]> {
  const students = 150;
  const site = createOneRosterSite({ classes: 4, students });
  server = await startFakeOneRoster(site);
  const grades = { final_line_item: "Final", categories: true };
  bench = await openBench(server.url, { type: "oneroster", concurrency: 2, ...grades });
  return oneRosterLines(site, students);
}

test.each([
  ["Canvas", openCanvas],
  ["OneRoster", openOneRoster],
])("a sweep of %s continues after kill -9 at random moments, and equals the model", async (_, open) => {
  const model = await open();
  const draw = createChance(KILLS);
  let kills = 0;
  for (let attempt = 0; kills < KILLS && attempt < 3 * KILLS; attempt++) {
    const moment = 1 + draw(30);
    const at = (_: ReceivedRequest, count: number) => count === moment;
    const { code, out } = await sync(bench, server, { at, answers: draw(2) === 0 });
    if (code === null) kills++;
    // The command made fewer requests than `moment`, and ended before it would have been killed.
    else expect(JSON.parse(out).state).toBe("complete");
  }
  expect(kills).toBe(KILLS);
  expect(JSON.parse((await sync(bench, server)).out)).toMatchObject({ state: "complete", failures: [] });
  expect(await known(bench.database.knex)).toEqual(model);
  await expectNothingNew(bench);
});
