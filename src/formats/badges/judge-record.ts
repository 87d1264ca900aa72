import { counted } from "#foundation/text/counted.js";
import { type BadgeVerdict, type Issuers, judgeParsed, namesOf, withFailures } from "./judge-badge.js";
import { MAX_PARTS } from "./max-badge.js";
import { readBadge, readRecord } from "./read-badge.js";

export interface RecordVerdict {
  /** Verdict on the record itself, regardless of the badges in it. */
  readonly ownVerdict: BadgeVerdict;
  /**
   * Names of the learner, as claimed by the record's issuer. Nobody else vouches that all names belong to one person.
   */
  readonly names: readonly string[];
  /** Verdicts on the badges, in order. Empty if the record's own signature is not valid. */
  readonly parts: readonly BadgeVerdict[];
}

/**
 * Verifies a Comprehensive Learner Record and each badge in it. The badges may come from other issuers, so the holder
 * of each must have one of the record's names.
 * @param text JSON, or a JWT
 * @returns undefined if the text is not a learner record
 */
export async function judgeRecord(
  text: string,
  issuers: Issuers,
  now: Date,
): Promise<RecordVerdict | undefined> {
  const record = readRecord(text);
  if (!record) return undefined;
  const ownVerdict = await judgeParsed(record, issuers, now);
  const names = namesOf(record.credential).filter((name) => typeof name === "string");
  // An attacker could choose the addresses in an unsigned record, so they are not fetched.
  if (ownVerdict.failures.some(({ kind }) => kind === "signature")) return { ownVerdict, names, parts: [] };
  if (record.parts.length === 0 || record.parts.length > MAX_PARTS) {
    const text = `The record contains ${counted(record.parts.length, "badge", "badges")}. Only records with 1 to ${MAX_PARTS} badges can be checked.`;
    return {
      ownVerdict: withFailures(ownVerdict, [...ownVerdict.failures, { kind: "parts", text }]),
      names,
      parts: [],
    };
  }
  const parts: BadgeVerdict[] = [];
  for (const part of record.parts) {
    const badge = readBadge(typeof part === "string" ? part : JSON.stringify(part));
    parts.push(badge ? withHolder(await judgeParsed(badge, issuers, now), names) : NO_BADGE);
  }
  return { ownVerdict, names, parts };
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

function withHolder(verdict: BadgeVerdict, names: readonly string[]): BadgeVerdict {
  if (names.includes(verdict.says.holder)) return verdict;
  const text = "The record does not name the badge's holder.";
  return withFailures(verdict, [...verdict.failures, { kind: "holder", text }]);
}
