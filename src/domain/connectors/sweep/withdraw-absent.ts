import { progressOf, type Sweep, scopesOf } from "./sweep.js";
import { countReported } from "./sweep-store.js";

/** Up to this number, withdrawals are never held back. */
const ALWAYS_WITHDRAWN = 5;

/** Withdraws enrolments that are absent from complete lists. @returns the number held back */
export async function withdrawAbsent(sweep: Sweep): Promise<number> {
  const { source, settings, storage, ledger, options } = sweep;
  const absent: { contextKey: string; username: string }[] = [];
  const reportedCounts = await storage.query((db) => countReported(db, settings.id));
  let held = 0;
  let total = 0;
  for (const stage of source.stages.filter(({ listsEnrollments }) => listsEnrollments)) {
    for (const { contextKey } of await scopesOf(sweep, stage)) {
      if (progressOf(sweep, stage.name, contextKey)?.state !== "complete") continue;
      const names = await ledger.absent(contextKey);
      const known = reportedCounts.get(contextKey) ?? 0;
      total += known;
      // An empty list is more likely a fault of the platform.
      if (names.length > 0 && names.length >= known && known > 1 && !options.acceptsWithdrawals)
        held += names.length;
      else absent.push(...names.map((username) => ({ contextKey, username })));
    }
  }
  const { percent, count } = settings.withdraw_limit;
  const limit = Math.max(ALWAYS_WITHDRAWN, Math.min(count, (total * percent) / 100));
  if (absent.length > limit && !options.acceptsWithdrawals) return held + absent.length;
  const now = new Date();
  for (let start = 0; start < absent.length; start += 1000) {
    const part = absent.slice(start, start + 1000);
    const records = part.map(({ contextKey, username }) =>
      sweep.parse({ kind: "enrollment", username, learningContextKey: contextKey, isActive: false }, now),
    );
    await ledger.write(records, { "enrollment.withdrawn": part.length });
  }
  return held;
}
