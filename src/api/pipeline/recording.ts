import { Code } from "@connectrpc/connect";
import {
  type AuditChange,
  type AuditEntry,
  type AuditObjects,
  SUCCEEDED,
} from "#infrastructure/audit/audit-entry.js";
import type { AuditTrail } from "#infrastructure/audit/audit-trail.js";
import { differences, MAX_CHANGES } from "#infrastructure/audit/differences.js";
import { toRpcError } from "./codes.js";
import type { Act } from "./recorded-act.js";

/**
 * The entry of one call or action in the audit trail. The commands `migrate` and `token` don't use this class, because
 * they also run before the trail exists, or without a database.
 */
export class Recording {
  #entryId: number | undefined;
  readonly #changes: AuditChange[] = [];

  constructor(private readonly trail: AuditTrail) {}

  /**
   * Records objects before anything is done with them. The first call creates the entry. Later calls add their objects
   * to this entry, or do nothing if they have no objects.
   */
  async enter(entry: AuditEntry, signal: AbortSignal): Promise<void> {
    if (this.#entryId === undefined) this.#entryId = await this.trail.enter(entry, signal);
    else if (!namesNothing(entry)) await this.trail.enter({ ...entry, firstEntryId: this.#entryId }, signal);
  }

  /** Adds the values that have changed to the entry, up to `MAX_CHANGES`. */
  changed(object: string, before: object | undefined, after: object | undefined): void {
    this.#changes.push(...differences(object, before, after).slice(0, MAX_CHANGES - this.#changes.length));
  }

  end(code: string): void {
    if (this.#entryId !== undefined) this.trail.end(this.#entryId, code, this.#changes);
  }
}

/** Runs an action that creates its own audit entry, and records the outcome. */
export async function withRecording<T>(
  trail: AuditTrail,
  work: (recording: Recording) => Promise<T>,
): Promise<T> {
  const recording = new Recording(trail);
  try {
    const result = await work(recording);
    recording.end(SUCCEEDED);
    return result;
  } catch (error) {
    recording.end(outcomeOf(error));
    throw error;
  }
}

/**
 * Records an action in the audit trail, runs it, and records its outcome.
 * @param work receives a function that adds objects to the entry, for objects that become known only while the action
 * runs
 */
export function recordAct<T>(
  trail: AuditTrail,
  entry: AuditEntry & { readonly method: Act },
  signal: AbortSignal,
  work: (concerns: (more: Partial<AuditObjects>) => Promise<void>) => Promise<T>,
): Promise<T> {
  return withRecording(trail, async (recording) => {
    await recording.enter(entry, signal);
    return work((more) => recording.enter({ ...entry, learners: [], others: [], ...more }, signal));
  });
}

/** Returns the outcome that the audit trail records for an error. */
export function outcomeOf(error: unknown): string {
  return Code[toRpcError(error).code] as string;
}

export function namesNothing({ learners, others }: AuditObjects): boolean {
  return learners.length === 0 && others.length === 0;
}
