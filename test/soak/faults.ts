import { setTimeout as sleep } from "node:timers/promises";
import type { Deployment } from "./deployment.js";
import type { Weather } from "./weather.js";

/** A fault injected into the deployment at some point of the soak. */
export interface Blow {
  /** The time of the fault as a fraction of the whole duration. */
  readonly at: number;
  readonly name: string;
  strike(deployment: Deployment, weather: Weather): Promise<unknown>;
}

const restart = (at: number, how: "fast" | "crash"): Blow => ({
  at,
  name: how === "fast" ? "Postgres restarts" : "Postgres crashes and recovers",
  strike: ({ postgres }, weather) => weather.suffer("database away", () => postgres.restart(how, 1500)),
});

const kill = (at: number, worker: string): Blow => ({
  at,
  name: `${worker} is killed and replaced`,
  strike: (deployment, weather) => weather.suffer("worker killed", () => deployment.replaceWorker(worker)),
});

const cutStore = (at: number, seconds: number): Blow => ({
  at,
  name: `the store is out of reach for ${seconds} s`,
  strike: ({ store }, weather) =>
    weather.suffer("store away", async () => {
      await store.stop();
      await sleep(seconds * 1000);
      await store.start();
    }),
});

/** The faults of the whole soak. */
export const manyBlows: readonly Blow[] = [
  restart(0.12, "fast"),
  kill(0.27, "worker 1"),
  cutStore(0.42, 30),
  restart(0.62, "crash"),
  kill(0.78, "worker 2"),
];

/** The faults of the short soak. The worker is killed first, because its jobs wait until their leases expire. */
export const fewBlows: readonly Blow[] = [kill(0.15, "worker 1"), restart(0.4, "crash"), cutStore(0.65, 5)];

/** Injects each fault at its time, until the signal aborts. */
export async function strike(
  deployment: Deployment,
  weather: Weather,
  blows: readonly Blow[],
  { ms, ending }: { ms: number; ending: AbortSignal },
): Promise<void> {
  const begun = performance.now();
  for (const blow of blows) {
    await sleep(Math.max(0, begun + blow.at * ms - performance.now()), undefined, { signal: ending });
    console.info(`${((performance.now() - begun) / 1000).toFixed(0)} s: ${blow.name}`);
    await blow.strike(deployment, weather);
  }
}
