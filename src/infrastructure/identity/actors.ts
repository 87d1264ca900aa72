import type { Caller } from "./caller.js";

/**
 * Who has done something. Users, services and the service itself may have the same name; the kind distinguishes them.
 */
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
/** Issues claimed credentials. Only the credential names the learner, so that nothing else has to be erased. */
export const CLAIM: Actor = { kind: "system", name: "claim" };
/** Reads a platform, and erases learners whose accounts the platform has retired. */
export const CONNECTOR: Actor = { kind: "system", name: "connector" };
/** Loads the sample academy. */
export const SAMPLE_DATA: Actor = { kind: "system", name: "sample data" };

/** Names under which only the service may act, because some records show an actor's name without its kind. */
const SYSTEM_NAMES: readonly string[] = [WORKER, SCHEDULE, CLAIM, COMMAND_LINE, CONNECTOR, SAMPLE_DATA].map(
  ({ name }) => name,
);

/**
 * Returns whether only the service may act under the name. Learners may have such a name, because their actions leave
 * no records that show a name without its kind.
 */
export function isReserved(name: string): boolean {
  return SYSTEM_NAMES.includes(name);
}

/** Prefix of the usernames of people whom platforms launch or list by LTI. */
const NAMES_OF_PLATFORMS = "lti:";

/**
 * Returns whether this name is reserved for people who are signed in by an LTI platform. Other callers must not use
 * such a name, because they would act as that person.
 */
export function isNameOfPlatforms(name: string): boolean {
  return name.startsWith(NAMES_OF_PLATFORMS);
}

export function actorOf(caller: Caller): Actor {
  if (caller.kind === "anonymous")
    throw new Error("this method uses the caller's name, so it can't be public");
  return { kind: caller.kind, name: caller.username };
}
