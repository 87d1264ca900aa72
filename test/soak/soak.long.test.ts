import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { isPgBouncerInstalled } from "../db/pgbouncer.js";
import type { Scene } from "./actor.js";
import { createChance } from "./chance.js";
import { openDeployment, type ServiceAddress } from "./deployment.js";
import { createEventBook } from "./event-book.js";
import { type Blow, fewBlows, manyBlows, strike } from "./faults.js";
import { createJournal } from "./journal.js";
import { medianOf, type Samples, sampleMemory } from "./memory.js";
import { createModel } from "./model.js";
import { carryOutRun, deeds } from "./registrar.js";
import { createRunBook } from "./run-book.js";
import { createSubjects } from "./subjects.js";
import { judge } from "./verdict.js";
import { visits } from "./visitors.js";
import { watchEvents } from "./watchers.js";
import { createWeather } from "./weather.js";

/** `SOAK_MINUTES=10` runs the whole soak test. By default, it takes one minute and has fewer faults. */
const { SOAK_MINUTES, SOAK_SEED } = process.env;
const isComplete = Boolean(SOAK_MINUTES);
const ms = Number(SOAK_MINUTES || 1) * 60_000;
const seed = Number(SOAK_SEED || Date.now() % 1_000_000);

/** The number of concurrent actors. With their pauses, they send about 150 requests a second on two idle processors. */
const ACTORS = 32;
/**
 * The number of actors in the test with a connection pooler, and the number of the pooler's connections. Without a
 * pooler, each process alone would have more.
 */
const POOLED = { actors: 40, connections: 4 };
const LONGEST_PAUSE_MS = 360;
const PAUSE_BETWEEN_RUNS_MS = 4_000;

/** The test stops after this many wrong responses. */
const ENOUGH = 5;

/** The maximum memory of a process, in MiB. */
const MAX_MIB = 400;
/**
 * In the whole soak test, the allowed growth of memory from the first quarter, after the warm-up, to the last tenth.
 */
const MAY_GROW = { times: 1.25, byMib: 40 };

const minutes = `${ms / 60_000} minutes of all kinds of requests`;
const timeout = ms + 420_000;

test(`${minutes} while faults are injected`, { timeout }, () =>
  soak({ actors: ACTORS, blows: isComplete ? manyBlows : fewBlows }),
);

test.runIf(await isPgBouncerInstalled())(
  `${minutes} of ${POOLED.actors} actors, on ${POOLED.connections} connections of a pooler in transaction mode: none fails`,
  { timeout },
  () => soak({ actors: POOLED.actors, blows: [], poolSize: POOLED.connections }),
);

interface Soaking {
  readonly actors: number;
  readonly blows: readonly Blow[];
  readonly poolSize?: number;
}

async function soak({ actors, blows, poolSize }: Soaking): Promise<void> {
  console.info(`seed ${seed} (SOAK_SEED)`);
  const deployment = await openDeployment(poolSize);
  onTestFinished(deployment.close);
  const weather = createWeather();
  const journal = createJournal(weather);
  const model = createModel(deployment.offers);
  const ending = new AbortController();
  const watching = new AbortController();
  const scene: Scene = {
    deployment,
    model,
    journal,
    runBook: createRunBook(),
    subjects: createSubjects(model),
    etags: new Map(),
    ending: ending.signal,
  };
  const acts = [...visits, ...deeds];
  const goesOn = () => !ending.signal.aborted && journal.wrongs.length < ENOUGH;

  async function play(actor: number): Promise<void> {
    const chance = createChance(seed, actor);
    while (goesOn()) {
      await chance.pickByWeight(acts).act(scene, chance);
      await sleep(chance.below(LONGEST_PAUSE_MS));
    }
    ending.abort();
  }

  async function runAgainAndAgain(): Promise<void> {
    const chance = createChance(seed, "runs");
    const runs: Promise<void>[] = [];
    while (goesOn()) {
      runs.push(carryOutRun(scene, chance));
      await sleep(PAUSE_BETWEEN_RUNS_MS, undefined, { signal: ending.signal }).catch(() => {});
      deployment.store.requests.length = 0;
    }
    await Promise.all(runs);
  }

  const events = createEventBook(model);
  const watchers = Promise.all(
    [deployment.addresses[0], deployment.addresses[4]].map((address) =>
      watchEvents(scene, address as ServiceAddress, events, watching.signal),
    ),
  );
  const memory = sampleMemory(deployment, ending.signal);
  const struck = strike(deployment, weather, blows, { ms, ending: ending.signal }).catch((error) => {
    if (!ending.signal.aborted) throw error;
  });
  const end = sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  const playing = Promise.all([
    ...Array.from({ length: actors }, (_, actor) => play(actor)),
    runAgainAndAgain(),
  ]);
  await Promise.race([Promise.all([end, struck]), playing]);
  ending.abort();
  await playing;

  const figures =
    journal.wrongs.length >= ENOUGH
      ? {}
      : await judge(scene, { events, weather }).catch((error) => {
          journal.complain(`the verdict could not be reached: ${error.stack}`);
          return {};
        });
  watching.abort();
  await watchers;
  const samples = [...(await memory).values()];
  console.info(report(journal, figures, samples));
  if (journal.wrongs.length > 0) {
    const lines = deployment.started.flatMap(({ stderr }) => stderr().split("\n"));
    console.info(
      "errors that were logged:",
      ...lines.filter((line) => /"level":[456]0/.test(line)).slice(0, 20),
    );
  }
  expect(summary(journal.wrongs), `seed ${seed}`).toBe("");
  expect(samples.filter(isTooBig)).toEqual([]);
}

/** Returns the first reports in full, and the headlines of others. */
function summary(wrongs: readonly string[]): string {
  const others = wrongs.slice(ENOUGH, 10 * ENOUGH).map((each) => each.split("\n", 1)[0]);
  return [...wrongs.slice(0, ENOUGH), ...others].join("\n\n");
}

/** Whether a process uses too much memory. Its growth counts only if it ran for at least half of the time. */
function isTooBig(samples: Samples): boolean {
  if (Math.max(...samples.rss) > MAX_MIB) return true;
  if (!isComplete || samples.ended - samples.begun < ms / 2) return false;
  return medianOf(samples, 0.9, 1) > medianOf(samples, 0.1, 0.25) * MAY_GROW.times + MAY_GROW.byMib;
}

function report(
  { requests, errors }: { requests: ReadonlyMap<string, number>; errors: ReadonlyMap<string, number> },
  figures: object,
  samples: readonly Samples[],
): string {
  const total = [...requests.values()].reduce((sum, count) => sum + count, 0);
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `  ${count} ${name}`);
  return [
    `${total} requests, ${(total / (ms / 1000)).toFixed(0)} a second:`,
    ...list(requests),
    "errors, by fault:",
    ...list(errors),
    "memory in MiB, in the first quarter, at the end, at most:",
    ...samples.map(
      (each) =>
        `  ${each.name}: ${medianOf(each, 0.1, 0.25)}, ${medianOf(each, 0.9, 1)}, ${Math.max(...each.rss)} ` +
        `(in ${((each.ended - each.begun) / 1000).toFixed(0)} s)`,
    ),
    "at the end:",
    ...Object.entries(figures).map(([name, value]) => `  ${name}: ${value}`),
  ].join("\n");
}
