import { type Issuers, judgeRead, namesOf, type Verdict, withFailures } from "./judge-badge.js";
import { MAX_PARTS } from "./max-badge.js";
import { readBadge, readRecord } from "./read-badge.js";

/** The result of verifying a learner record. */
export interface RecordVerdict {
  /** The verdict on the record itself: who combined the badges, and until when the record is valid. */
  readonly whole: Verdict;
  /** The learner's names according to the record's issuer. Nothing else shows that they are the same person. */
  readonly names: readonly string[];
  /** The verdicts on the badges in the record, in order. Empty if the record's own signature is not valid. */
  readonly parts: readonly Verdict[];
}

/**
 * Verifies a Comprehensive Learner Record, and each badge in it as if it were separate. The record's issuer can differ
 * from those of the badges, so the badges' holders are compared with the names in the record.
 * @param text JSON, or a JWT
 * @returns undefined if it is not a learner record
 */
export async function judgeRecord(
  text: string,
  issuers: Issuers,
  now: Date,
): Promise<RecordVerdict | undefined> {
  const record = readRecord(text);
  if (!record) return undefined;
  const whole = await judgeRead(record, issuers, now);
  const names = namesOf(record.credential).filter((name) => typeof name === "string");
  // The addresses in an unsigned record could be chosen by an attacker, so they are not fetched.
  if (whole.failures.some(({ kind }) => kind === "signature")) return { whole, names, parts: [] };
  if (record.parts.length === 0 || record.parts.length > MAX_PARTS) {
    const text = `It contains ${record.parts.length} badges: 1 to ${MAX_PARTS} are checked.`;
    return { whole: withFailures(whole, [...whole.failures, { kind: "parts", text }]), names, parts: [] };
  }
  const parts: Verdict[] = [];
  for (const part of record.parts) {
    const badge = readBadge(typeof part === "string" ? part : JSON.stringify(part));
    parts.push(badge ? withHolder(await judgeRead(badge, issuers, now), names) : NO_BADGE);
  }
  return { whole, names, parts };
}

const NO_BADGE = withFailures(
  {
    says: { issuer: "", issuerName: "", holder: "", name: "", issued: "" },
    id: undefined,
    keyUrl: undefined,
    statusListUrl: undefined,
  },
  [{ kind: "shape", text: "It is not an Open Badge 3.0." }],
);

function withHolder(verdict: Verdict, names: readonly string[]): Verdict {
  if (names.includes(verdict.says.holder)) return verdict;
  const text = "The record does not name its holder.";
  return withFailures(verdict, [...verdict.failures, { kind: "holder", text }]);
}
