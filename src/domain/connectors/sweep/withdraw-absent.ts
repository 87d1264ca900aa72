import { countReported } from "../../learners/connector-enrollments.js";
import { parsePlainRecord } from "../../learners/parse-record.js";
import { isListOfOthers, withdrawalLimit } from "../../learners/withdrawal-guard.js";
import { progressOf, type Sweep, scopesOf } from "./sweep.js";

/** Withdraws enrolments that are absent from complete lists. Returns the number of withdrawals that await approval. */
export async function withdrawAbsent(sweep: Sweep): Promise<number> {
  const { source, settings, storage, ledger, options } = sweep;
  const absent: { contextKey: string; username: string }[] = [];
  const reportedCounts = await storage.query((db) => countReported(db, settings.id));
  let heldBack = 0;
  let total = 0;
  for (const stage of source.stages.filter(({ listsEnrollments }) => listsEnrollments)) {
    for (const { contextKey } of await scopesOf(sweep, stage)) {
      if (progressOf(sweep, stage.name, contextKey)?.state !== "complete") continue;
      const names = await ledger.absent(contextKey);
      const reported = reportedCounts.get(contextKey) ?? 0;
      total += reported;
      if (isListOfOthers(reported, names.length) && !options.acceptsWithdrawals) heldBack += names.length;
      // `absent.push(...names)` could exceed the maximum number of arguments.
      else for (const username of names) absent.push({ contextKey, username });
    }
  }
  const limit = withdrawalLimit(total, settings.withdraw_limit);
  if (absent.length > limit && !options.acceptsWithdrawals) return heldBack + absent.length;
  const now = new Date();
  for (let start = 0; start < absent.length; start += 1000) {
    const part = absent.slice(start, start + 1000);
    const records = part.map(({ contextKey, username }) =>
      parsePlainRecord(
        { kind: "enrollment", username, learningContextKey: contextKey, isActive: false },
        now,
      ),
    );
    await ledger.write(records, { "enrollment.withdrawn": part.length });
  }
  return heldBack;
}
