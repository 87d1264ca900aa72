import type { Caller } from "./caller.js";

/** Who does something. Users, services and the service itself may have equal names: the kind tells them apart. */
export interface Actor {
  /** `system` is the service itself, or someone at its command line. */
  readonly kind: "user" | "service" | "system";
  readonly name: string;
}

/** Generates documents and sends emails. */
export const WORKER: Actor = { kind: "system", name: "worker" };
/** Starts scheduled runs. */
export const SCHEDULE: Actor = { kind: "system", name: "schedule" };
/** Anyone who may run commands on the service's machine. */
export const COMMAND_LINE: Actor = { kind: "system", name: "command line" };
/** Issues what a learner has requested. The learner is named by the credential alone, so that erasing it is enough. */
export const CLAIM: Actor = { kind: "system", name: "claim" };
/** Reads a platform, and follows its retirements. */
export const CONNECTOR: Actor = { kind: "system", name: "connector" };
/** Loads the sample academy. */
export const SAMPLE_DATA: Actor = { kind: "system", name: "sample data" };

/**
 * Names of the service itself. Some records show an actor's name without its kind, so nobody else may act
 * under these names.
 */
const SYSTEM_NAMES: readonly string[] = [WORKER, SCHEDULE, CLAIM, COMMAND_LINE, CONNECTOR, SAMPLE_DATA].map(
  ({ name }) => name,
);

/**
 * Returns whether only the service itself may act under the name. A learner may have it, because learners'
 * actions leave no such records.
 */
export function isReserved(name: string): boolean {
  return SYSTEM_NAMES.includes(name);
}

/** People whom platforms launch or list by LTI have such names. */
const NAMES_OF_PLATFORMS = "lti:";

/**
 * Returns whether only a platform that launches by LTI may say who the person of this name is. Whoever else could take the
 * name would be that person.
 */
export function isNameOfPlatforms(name: string): boolean {
  return name.startsWith(NAMES_OF_PLATFORMS);
}

/** Returns the caller as an actor. */
export function actorOf(caller: Caller): Actor {
  if (caller.kind === "anonymous") throw new Error("a method that needs a name is declared public");
  return { kind: caller.kind, name: caller.username };
}
