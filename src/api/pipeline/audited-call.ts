import type { Message } from "@bufbuild/protobuf";
import type { AuditCaller, AuditChange, AuditEntry } from "#infrastructure/audit/audit-entry.js";
import type { AuditTrail } from "#infrastructure/audit/audit-trail.js";
import { differences, MOST_CHANGES } from "#infrastructure/audit/differences.js";
import type { Caller } from "#infrastructure/identity/caller.js";
import { type AuditRule, namesNothing } from "./audit-rule.js";
import type { Call } from "./handlers.js";

/**
 * Method, request id and source of a call. Includes the caller only if the audit trail must record another name than
 * the authenticated one.
 */
export type Origin = Pick<AuditEntry, "method" | "requestId" | "source"> &
  Partial<Pick<AuditEntry, "caller">>;

/** Records one call in the audit trail. */
export class AuditedCall {
  #entryId: number | undefined;
  #read: AuditEntry | undefined;
  readonly #changes: AuditChange[] = [];

  constructor(
    private readonly trail: AuditTrail,
    private readonly rule: AuditRule,
    private readonly origin: Origin,
  ) {}

  /**
   * Called before the handler receives a message.
   * @returns a promise if the handler must wait for the entry; rejects if the entry can't be written
   */
  admit(call: Call, request: Message): Promise<void> | undefined {
    const objects = this.rule.objectsOf(call.caller, request);
    if (!objects || call.caller.kind === "anonymous") return undefined;
    const { caller = auditCaller(call.caller) } = this.origin;
    const entry = { ...this.origin, ...objects, caller };
    if (this.rule.isEnteredBefore) return this.#enter(entry, call.signal);
    this.trail.checkRoom();
    this.#read = entry;
    return undefined;
  }

  /** In a stream, a message that names no objects belongs to the same entry as the message before it. */
  async #enter(entry: AuditEntry, signal: AbortSignal): Promise<void> {
    if (this.#entryId === undefined) this.#entryId = await this.trail.enter(entry, signal);
    else if (!namesNothing(entry)) await this.trail.enter({ ...entry, partOf: this.#entryId }, signal);
  }

  changed(object: string, before: object | undefined, after: object | undefined): void {
    this.#changes.push(...differences(object, before, after).slice(0, MOST_CHANGES - this.#changes.length));
  }

  /** Called when the call has ended. */
  end(code: string): void {
    if (this.#entryId !== undefined) this.trail.end(this.#entryId, code, this.#changes);
    if (this.#read) this.trail.note({ ...this.#read, code }, this.rule.isRepeated);
  }
}

function auditCaller(caller: Exclude<Caller, { kind: "anonymous" }>): AuditCaller {
  const { username: name, issuer, subject } = caller;
  const named = { name, ...(issuer !== undefined && subject !== undefined && { issuer, subject }) };
  if (caller.kind === "user") return { kind: caller.isStaff ? "staff" : "user", ...named };
  return { kind: caller.kind === "system" ? "command line" : "service", ...named };
}
