import { pino } from "pino";
import { expect, test } from "vitest";
import { openApp } from "#app/app.js";
import { startScheduledRuns } from "#domain/credentials/runs/start-scheduled-runs.js";
import { openAcademy } from "../../support/academy.js";
import { offerDue, startedRuns } from "./due-schedules.js";

test("1,000 schedules that are due simultaneously are each started once, in two processes with two loops each", async () => {
  const academy = await openAcademy();
  const { app } = academy.service;
  const other = await openApp(app.config, pino({ level: "silent" }), "own");
  try {
    await offerDue(academy, 1000);
    const { signal } = new AbortController();
    await Promise.all(
      [app, other, app, other].map((each) => startScheduledRuns({ ...each, settings: each.config }, signal)),
    );
    expect(await startedRuns(academy)).toEqual({ runs: 1000, started: 1000, due: 0, failed: 0 });
  } finally {
    await other.close();
    await academy.service.stop();
  }
});
