import { countReported } from "../../learners/connector-enrollments.js";
import { parsePlainRecord } from "../../learners/parse-record.js";
import { progressOf, type Sweep, scopesOf } from "./sweep.js";

/** Maximum number of withdrawals that never need approval. */
const MAX_UNAPPROVED = 5;

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
      // If the list contains nobody from earlier lists, a fault of the platform is more likely than withdrawals.
      if (names.length > 0 && names.length >= reported && reported > 1 && !options.acceptsWithdrawals)
        heldBack += names.length;
      // `absent.push(...names)` could exceed the maximum number of arguments.
      else for (const username of names) absent.push({ contextKey, username });
    }
  }
  const { percent, count } = settings.withdraw_limit;
  const limit = Math.max(MAX_UNAPPROVED, Math.min(count, (total * percent) / 100));
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
