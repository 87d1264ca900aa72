import type { Message } from "@bufbuild/protobuf";
import type { AuditCaller, AuditEntry } from "#infrastructure/audit/audit-entry.js";
import type { AuditTrail } from "#infrastructure/audit/audit-trail.js";
import type { Caller } from "#infrastructure/identity/caller.js";
import type { AuditRule } from "./audit-rule.js";
import type { Call } from "./handlers.js";
import { Recording } from "./recording.js";

export type Origin = Pick<AuditEntry, "method" | "requestId" | "source">;

/** Records one call of a method in the audit trail, according to the method's rule. */
export class AuditedCall {
  readonly #recording: Recording;
  #read: AuditEntry | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly rule: AuditRule,
    private readonly origin: Origin,
  ) {
    this.#recording = new Recording(trail);
  }

  /**
   * Must be called before the handler receives a message.
   * @returns a promise if the handler must wait until the entry is written; the promise rejects if writing fails
   */
  admit(call: Call, request: Message): Promise<void> | undefined {
    const objects = this.rule.objectsOf(call.caller, request);
    if (!objects || call.caller.kind === "anonymous") return undefined;
    const entry = { caller: auditCaller(call.caller), ...this.origin, ...objects };
    if (this.rule.isEnteredBefore) return this.#recording.enter(entry, call.signal);
    this.trail.checkRoom();
    this.#read = entry;
    return undefined;
  }

  changed(...change: Parameters<Recording["changed"]>): void {
    this.#recording.changed(...change);
  }

  end(code: string): void {
    this.#recording.end(code);
    if (this.#read) this.trail.note({ ...this.#read, code }, this.rule.isRepeated);
  }
}

function auditCaller(caller: Exclude<Caller, { kind: "anonymous" }>): AuditCaller {
  const { username: name, issuer, subject } = caller;
  const named = { name, ...(issuer !== undefined && subject !== undefined && { issuer, subject }) };
  if (caller.kind === "user") return { kind: caller.isStaff ? "staff" : "user", ...named };
  return { kind: caller.kind === "system" ? "command line" : "service", ...named };
}
