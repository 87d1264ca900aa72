import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { Code } from "@connectrpc/connect";
import { toRpcError } from "#api/pipeline/codes.js";
import type { AuditEntry, AuditObjects } from "#infrastructure/audit/audit-entry.js";
import type { App } from "../app.js";

/** The credentials, learners and other objects that a command concerns. */
type About = Partial<AuditObjects>;

/**
 * Enters a command in the audit trail, with its user and its objects, and then runs it.
 * @param method the command, such as `run cancel`
 * @param work gets a function that enters objects which become known only on the way
 */
export async function audited<T>(
  { audit }: App,
  signal: AbortSignal,
  method: string,
  about: About,
  work: (concerns: (more: About) => Promise<void>) => Promise<T>,
): Promise<T> {
  const entry = commandEntry(method);
  const id = await audit.enter({ ...entry, ...about }, signal);
  const concerns = async (more: About) => void (await audit.enter({ ...entry, ...more, partOf: id }, signal));
  try {
    const result = await work(concerns);
    audit.end(id, "Ok");
    return result;
  } catch (error) {
    audit.end(id, codeOf(error));
    throw error;
  }
}

/** Returns the entry of the command that is running. */
export function commandEntry(method: string): AuditEntry {
  return {
    caller: { kind: "command line", name: accountName() },
    method,
    requestId: randomUUID(),
    source: "",
    learners: [],
    others: [],
  };
}

/** Returns the outcome to enter for a command that has failed. */
export function codeOf(error: unknown): string {
  return Code[toRpcError(error).code] as string;
}

/** Falls back to the number: a container may run under one that has no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
