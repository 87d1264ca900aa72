import { createHash } from "node:crypto";
import { invalidField, Problem } from "../../errors.js";
import { quoted } from "../../text/quoted.js";

/**
 * Identifies what a bulk call would change. It contains the counts, so that an error about an outdated hash
 * can state the old ones.
 */
export interface SelectionHash {
  readonly count: number;
  /** Number of credentials that can't be reissued; 0 for an invalidation. */
  readonly refusedCount: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly digest: string;
}

/** Computes the hash of these lines, of which each describes one change or refusal. */
export function hashOfChanges(
  lines: readonly string[],
  counts: Pick<SelectionHash, "count" | "refusedCount">,
): SelectionHash {
  const digest = createHash("sha256");
  for (const line of lines) digest.update(`${line}\n`);
  return { ...counts, digest: digest.digest("hex") };
}

export function formatSelectionHash({ count, refusedCount, digest }: SelectionHash): string {
  return `${count}.${refusedCount}.${digest}`;
}

/**
 * @param expected as given by the caller; if empty, anything is accepted
 * @throws Problem `invalid` if it is no hash of a bulk call; `aborted` if it is that of another one
 */
export function refuseChangedSelection(expected: string, now: SelectionHash): void {
  if (expected === "") return;
  const [, count, refusedCount, digest] = /^(\d{1,9})\.(\d{1,9})\.([0-9a-f]{64})$/.exec(expected) ?? [];
  if (digest === undefined) {
    throw invalidField("plan_hash", `plan_hash is ${quoted(expected)}: give it unchanged from the dry run.`);
  }
  if (digest === now.digest) return;
  const [before, after] = [words({ count, refusedCount }), words(now)];
  throw new Problem(
    "aborted",
    `The selection has changed: it was ${before}, and is ${after} now` +
      `${before === after ? ", but not the same" : ""}. Look at it again (dry_run), and give its plan_hash.`,
    { reason: "PLAN_CHANGED", facts: { count: String(now.count) } },
  );
}

function words({ count, refusedCount }: Record<"count" | "refusedCount", unknown>): string {
  return `${count} credentials${Number(refusedCount) === 0 ? "" : ` and ${refusedCount} that can't be reissued`}`;
}
