import { MAX_PARTS } from "./learner-record.js";
import { readBadge, readRecord, type UncheckedBadge } from "./read-badge.js";
import { type FetchJson, type Verdict, verifyRead } from "./verify-badge.js";

/** The result of verifying a learner record. */
export interface RecordVerdict {
  /** On the record itself: who has put the badges together, and until when that holds. */
  readonly whole: Verdict;
  /** On each badge in it, in their order. Empty if the record itself is not what its issuer has signed. */
  readonly parts: readonly Verdict[];
}

/**
 * Verifies a Comprehensive Learner Record as a whole, and each badge in it as if it came alone. Its issuer need not be
 * theirs, so their holders are compared with those whom the record names.
 * @returns undefined if it is no learner record
 */
export async function verifyRecord(
  text: string,
  fetchJson: FetchJson,
  now: Date,
): Promise<RecordVerdict | undefined> {
  const record = readRecord(text);
  if (!record) return undefined;
  const fetched = once(fetchJson);
  const whole = await verifyRead(record, fetched, now);
  // Whoever made the file has chosen the addresses in it: they are not asked.
  if (whole.problems.length > 0) return { whole, parts: [] };
  if (record.parts.length === 0 || record.parts.length > MAX_PARTS) {
    const count = `It contains ${record.parts.length} badges: 1 to ${MAX_PARTS} are checked.`;
    return { whole: { ...whole, unchecked: [...whole.unchecked, count] }, parts: [] };
  }
  const names = namesIn(record);
  const parts: Verdict[] = [];
  for (const part of record.parts) {
    const badge = readBadge(typeof part === "string" ? part : JSON.stringify(part));
    parts.push(badge ? withHolder(await verifyRead(badge, fetched, now), names) : NO_BADGE);
  }
  return { whole, parts };
}

const NO_BADGE: Verdict = {
  says: { issuer: "", issuerName: "", holder: "", name: "" },
  id: undefined,
  statusListUrl: undefined,
  problems: [],
  unchecked: ["It is no Open Badge 3.0."],
};

/** Returns the names of whom a record, or a badge, is about. */
export function namesIn({ credential }: UncheckedBadge): readonly unknown[] {
  const { identifier } = (credential.credentialSubject ?? {}) as { readonly identifier?: unknown };
  return Array.isArray(identifier) ? identifier.map((each) => each?.identityHash) : [];
}

function withHolder(verdict: Verdict, names: readonly unknown[]): Verdict {
  if (names.includes(verdict.says.holder)) return verdict;
  return { ...verdict, problems: [...verdict.problems, "Its holder is nobody whom the record names."] };
}

/** Badges of one issuer share their keys and status lists. */
function once(fetchJson: FetchJson): FetchJson {
  const known = new Map<string, Promise<unknown>>();
  return (url) => {
    const found = known.get(url) ?? fetchJson(url);
    known.set(url, found);
    return found;
  };
}
