import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { type Act, recordAct } from "#api/pipeline/recorded-act.js";
import type { AuditEntry, AuditObjects } from "#infrastructure/audit/audit-entry.js";
import type { App } from "../app.js";

/** The credentials, learners and other objects that a command concerns. */
type About = Partial<AuditObjects>;

/** Enters a command in the audit trail, with its user and its objects, and then runs it. See `recordAct`. */
export function audited<T>(
  { audit }: Pick<App, "audit">,
  signal: AbortSignal,
  method: Act,
  about: About,
  work: (concerns: (more: About) => Promise<void>) => Promise<T>,
): Promise<T> {
  return recordAct(audit, { ...commandEntry(method), ...about }, signal, work);
}

/** Returns the entry of the command that is running. */
export function commandEntry<Method extends Act>(method: Method): AuditEntry & { readonly method: Method } {
  return {
    caller: { kind: "command line", name: accountName() },
    method,
    requestId: randomUUID(),
    source: "",
    learners: [],
    others: [],
  };
}

/** Falls back to the user id, because a container may run as a user without a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
