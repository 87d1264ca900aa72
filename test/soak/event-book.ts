import type { CredentialEvent } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { Status } from "./knowledge.js";
import type { Model } from "./model.js";
import { wrong } from "./wrong-answer.js";

/** Records the events that the feed delivers. Every watcher must receive the same events. */
export interface EventBook {
  /** Records the events that one watcher received after `cursor`. @returns the cursor after them */
  see(watcher: string, events: readonly CredentialEvent[], cursor: number, at: number): number;
  /** The types of each credential's events, in order. */
  readonly lives: ReadonlyMap<string, readonly Step[]>;
  /** The number of events. */
  last(): number;
  /** The number of events that the slowest watcher has received. */
  slowest(): number;
}

export type Step = "issued" | "imported" | "available" | "emailed" | "invalidated" | "reissued";

const { UNSPECIFIED, GENERATING, AVAILABLE, INVALIDATED } = CredentialStatus;

/** The status that follows from each event type. Null if the status stays the same. */
const steps: Partial<
  Record<CredentialEventType, { step: Step; before: CredentialStatus[]; after: Status | null }>
> = {
  [CredentialEventType.ISSUED]: { step: "issued", before: [UNSPECIFIED], after: "generating" },
  [CredentialEventType.IMPORTED]: { step: "imported", before: [UNSPECIFIED], after: "available" },
  [CredentialEventType.AVAILABLE]: { step: "available", before: [GENERATING], after: "available" },
  [CredentialEventType.INVALIDATED]: { step: "invalidated", before: [AVAILABLE], after: "invalidated" },
  [CredentialEventType.REISSUED]: { step: "reissued", before: [INVALIDATED], after: "invalidated" },
  [CredentialEventType.EMAILED]: { step: "emailed", before: [AVAILABLE, INVALIDATED], after: null },
};

/** Whether an event of each type may follow the earlier events of the credential. */
const preconditions: Record<Step, (life: readonly Step[]) => boolean> = {
  issued: (life) => life.length === 0,
  imported: (life) => life.length === 0,
  available: (life) => life.join() === "issued",
  emailed: (life) => life.includes("available"),
  invalidated: (life) => life.includes("available") || life.includes("imported"),
  reissued: (life) => life.includes("invalidated"),
};

export function createEventBook(model: Model): EventBook {
  const hashes: string[] = [];
  const cursors = new Map<string, number>();
  const lives = new Map<string, Step[]>();

  function learn(event: CredentialEvent, at: number): void {
    const { credentialUuid: uuid, statusBefore } = event;
    const known = steps[event.type];
    if (!known) wrong(`nobody has asked for ${CredentialEventType[event.type]}`);
    const { step, before, after } = known as NonNullable<typeof known>;
    if (!before.includes(statusBefore)) wrong(`${step} does not follow ${CredentialStatus[statusBefore]}`);
    const life = lives.get(uuid) ?? [];
    if (life.includes(step) || !preconditions[step](life))
      wrong(`${step} of ${uuid} follows ${life.join(", ")}`);
    lives.set(uuid, [...life, step]);
    if (after !== null) model.seeEvent(uuid, after, at);
  }

  return {
    lives,
    last: () => hashes.length,
    slowest: () => Math.min(...cursors.values()),
    see(watcher, events, cursor, at) {
      for (const event of events) {
        cursor++;
        if (Number(event.position) !== cursor)
          wrong(`position ${event.position} comes in place of ${cursor}`);
        const hash = hashes[cursor - 1];
        if (hash === undefined) {
          learn(event, at);
          hashes.push(event.hash);
        } else if (hash !== event.hash) {
          wrong(`the hash at ${cursor} is ${event.hash}, and was ${hash}`);
        }
      }
      cursors.set(watcher, cursor);
      return cursor;
    },
  };
}
