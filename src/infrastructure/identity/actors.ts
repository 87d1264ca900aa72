import type { Caller } from "./caller.js";

/** Who performs an action. Users, services and the service itself may have equal names: the kind distinguishes them. */
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
/**
 * Issues credentials that learners have requested. Only the credential names the learner, so that nothing else has to
 * be erased.
 */
export const CLAIM: Actor = { kind: "system", name: "claim" };
/** Reads a platform, and erases the learners that it has retired. */
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

/** Prefix of the usernames of people whom platforms launch or list by LTI. */
const NAMES_OF_PLATFORMS = "lti:";

/**
 * Returns whether only an LTI platform may say who the person with this name is. Anyone else who could take the name
 * would become that person.
 */
export function isNameOfPlatforms(name: string): boolean {
  return name.startsWith(NAMES_OF_PLATFORMS);
}

/** Returns the caller as an actor. */
export function actorOf(caller: Caller): Actor {
  if (caller.kind === "anonymous") throw new Error("a method that needs a name is declared public");
  return { kind: caller.kind, name: caller.username };
}
