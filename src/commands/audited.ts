import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { Code } from "@connectrpc/connect";
import type { App } from "../app.js";
import type { AuditEntry, AuditObjects } from "../audit/audit-entry.js";
import { toRpcError } from "../pipeline/codes.js";

/** What a command is about. */
type About = Partial<AuditObjects>;

/**
 * Runs what a command does once it is entered in the audit trail who does it, and what it is about.
 * @param method the command, such as `run cancel`
 * @param work gets a function that enters what turns out to be concerned only on the way
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

/** What is entered of a command that is run now. */
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

/** How a command that has failed is entered to have ended. */
export function codeOf(error: unknown): string {
  return Code[toRpcError(error).code] as string;
}

/** A container may run under a number that has no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
