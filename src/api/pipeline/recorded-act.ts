import { Code } from "@connectrpc/connect";
import { ChangeKind } from "#gen/learning_credentials/options/v1/options_pb.js";
import { type AuditEntry, type AuditObjects, SUCCEEDED } from "#infrastructure/audit/audit-entry.js";
import type { AuditTrail } from "#infrastructure/audit/audit-trail.js";
import { toRpcError } from "./codes.js";

/**
 * Actions of commands and pages that are recorded in the audit trail under their own name instead of a method's. Giving
 * someone access is recorded as creating it.
 */
export const acts = {
  "asset delete": ChangeKind.DELETED,
  "asset upload": ChangeKind.CHANGED,
  audit: ChangeKind.UNSPECIFIED,
  badge: ChangeKind.UNSPECIFIED,
  "connector hand-over": ChangeKind.CHANGED,
  "connector sync": ChangeKind.IMPORTED,
  "connector sync --dry-run": ChangeKind.UNSPECIFIED,
  "connector take-over": ChangeKind.CHANGED,
  console: ChangeKind.CREATED,
  "console --sign-out": ChangeKind.CANCELLED,
  credentials: ChangeKind.UNSPECIFIED,
  "database-url": ChangeKind.CREATED,
  "DELETE /console/session": ChangeKind.CANCELLED,
  "doctor --repair": ChangeKind.CHANGED,
  erase: ChangeKind.DELETED,
  "erase --dry-run": ChangeKind.UNSPECIFIED,
  "GET /console/sign-in/callback": ChangeKind.CREATED,
  import: ChangeKind.IMPORTED,
  "import-credentials": ChangeKind.IMPORTED,
  "import-from": ChangeKind.IMPORTED,
  issue: ChangeKind.ISSUED,
  "keys new": ChangeKind.CREATED,
  "keys revoke": ChangeKind.INVALIDATED,
  "log continue": ChangeKind.CREATED,
  "log publish": ChangeKind.SENT,
  "lti accept": ChangeKind.CHANGED,
  "lti accept-deployment": ChangeKind.CHANGED,
  "lti invite": ChangeKind.CREATED,
  "lti refuse": ChangeKind.CHANGED,
  "lti refuse-deployment": ChangeKind.CHANGED,
  "lti register": ChangeKind.CREATED,
  "lti remove": ChangeKind.DELETED,
  "lti rotate-key": ChangeKind.CHANGED,
  "lti sync": ChangeKind.IMPORTED,
  "migrate down": ChangeKind.CHANGED,
  "migrate up": ChangeKind.CHANGED,
  "POST /console/session": ChangeKind.CREATED,
  "POST /lti/register": ChangeKind.CREATED,
  release: ChangeKind.CHANGED,
  run: ChangeKind.STARTED,
  "run --dry-run": ChangeKind.UNSPECIFIED,
  "run cancel": ChangeKind.CANCELLED,
  "run retry": ChangeKind.STARTED,
  "run watch": ChangeKind.UNSPECIFIED,
  token: ChangeKind.CREATED,
  "webhooks create": ChangeKind.CREATED,
  "webhooks delete": ChangeKind.DELETED,
  "webhooks enable": ChangeKind.CHANGED,
  "webhooks pause": ChangeKind.CHANGED,
  "webhooks replay": ChangeKind.CHANGED,
  "webhooks rotate": ChangeKind.CHANGED,
  "webhooks skip": ChangeKind.CHANGED,
  "webhooks test": ChangeKind.SENT,
  "webhooks update": ChangeKind.CHANGED,
} as const satisfies Readonly<Record<string, ChangeKind>>;

export type Act = keyof typeof acts;

/**
 * Records an action in the audit trail, performs it, and records its outcome.
 * @param work receives a function that records objects which become known only while the action runs
 */
export async function recordAct<T>(
  trail: AuditTrail,
  entry: AuditEntry & { readonly method: Act },
  signal: AbortSignal,
  work: (concerns: (more: Partial<AuditObjects>) => Promise<void>) => Promise<T>,
): Promise<T> {
  const id = await trail.enter(entry, signal);
  const unnamed = { ...entry, learners: [], others: [] };
  try {
    const result = await work(
      async (more) => void (await trail.enter({ ...unnamed, ...more, partOf: id }, signal)),
    );
    trail.end(id, SUCCEEDED);
    return result;
  } catch (error) {
    trail.end(id, outcomeOf(error));
    throw error;
  }
}

/** Returns the outcome that the audit trail records for an error. */
export function outcomeOf(error: unknown): string {
  return Code[toRpcError(error).code] as string;
}
