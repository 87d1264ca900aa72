import type { Caller } from "./caller.js";

/** Who does something. Users, services and the service itself don't share names: the kind tells them apart. */
export interface Actor {
  /** `system`: the service itself, or somebody at its command line. */
  readonly kind: "user" | "service" | "system";
  readonly name: string;
}

/** Makes documents and sends mails. */
export const WORKER: Actor = { kind: "system", name: "worker" };
/** Starts the runs whose time has come. */
export const SCHEDULE: Actor = { kind: "system", name: "schedule" };
/** Whoever may run commands where the service runs. */
export const COMMAND_LINE: Actor = { kind: "system", name: "command line" };
/** Loads the sample academy. */
export const SAMPLE_DATA: Actor = { kind: "system", name: "sample data" };

/** Names of the service itself, which records of who did what show without the kind, too: nobody else may act under them. */
const SYSTEM_NAMES: readonly string[] = [WORKER, SCHEDULE, COMMAND_LINE, SAMPLE_DATA].map(({ name }) => name);

/** Whether only the service itself acts under the name. A learner may have it: what learners do leaves no such records. */
export function isReserved(name: string): boolean {
  return SYSTEM_NAMES.includes(name);
}

/** The caller as who does something. */
export function actorOf(caller: Caller): Actor {
  if (caller.kind === "anonymous") throw new Error("a method that needs a name is declared public");
  return { kind: caller.kind, name: caller.username };
}
