import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import type { Act } from "#api/pipeline/recorded-act.js";
import { recordAct } from "#api/pipeline/recording.js";
import type { AuditEntry, AuditObjects } from "#infrastructure/audit/audit-entry.js";
import type { App } from "../app.js";

/** The objects that a command reads or changes, such as credentials and learners. */
type About = Partial<AuditObjects>;

/**
 * Records a command in the audit trail and then runs it: see `recordAct`. Only for commands that can't call a method of
 * the API. All other commands use `localClient`, which records their calls.
 */
export function audited<T>(
  { audit }: Pick<App, "audit">,
  signal: AbortSignal,
  method: Act,
  about: About,
  work: (recordObjects: (more: About) => Promise<void>) => Promise<T>,
): Promise<T> {
  return recordAct(audit, { ...commandEntry(method), ...about }, signal, work);
}

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

/** Falls back to the user id, because the user of a container may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
