import { createHash } from "node:crypto";
import { statusSql } from "#foundation/credential-status.js";
import { counted } from "#foundation/text/counted.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import { type Organisations, withinSql } from "../../learners/organisations.js";
import type { Credential } from "../credential.js";
import { selected } from "../credential-columns.js";
import {
  formatPlanHash,
  type PlanHash,
  type PlanWords,
  parsePlanHash,
  refuseChangedPlan,
} from "../plan-hash.js";

/** Selects available credentials. Fields that are empty, 0 or null don't filter. */
export interface CredentialSelection {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly runId: string | null;
  readonly createdFrom: Date | null;
  readonly createdBefore: Date | null;
  /** Null selects all. */
  readonly uuids: readonly string[] | null;
  readonly organisations?: Organisations;
}

/**
 * Returns the selected credentials, in the order in which they were issued.
 * @param locks whether to lock the rows until the transaction ends. Rows that are no longer available when their lock
 * is obtained are left out. All callers lock in the same order, so they can't deadlock
 */
export function findSelected<Field extends keyof Credential>(
  transaction: Knex.Transaction,
  { organisations, ...selection }: CredentialSelection,
  fields: readonly Field[],
  locks: boolean,
): Promise<Pick<Credential, Field>[]> {
  return queryRows<Pick<Credential, Field>>(
    transaction,
    `select ${selected(...fields)} from credentials
     where ${statusSql().isAvailable}
       and (:username = '' or username = :username)
       and (:learningContextKey = '' or learning_context_key = :learningContextKey)
       and (:configurationId = 0 or configuration_id = :configurationId)
       and (cast(:runId as uuid) is null or run_id = :runId)
       and (cast(:createdFrom as timestamptz) is null or created_at >= :createdFrom)
       and (cast(:createdBefore as timestamptz) is null or created_at < :createdBefore)
       and (cast(:uuids as uuid[]) is null or uuid = any (cast(:uuids as uuid[])))
       and ${withinSql("learning_context_key", organisations, ":organisations")}
     order by id ${locks ? "for update" : ""}`,
    { ...selection, organisations: organisations ?? null },
  );
}

/**
 * Computes the hash of a plan, and compares it with the expected hash.
 * @param lines one per change or refusal
 * @throws Problem `invalid` if `expected` is not a hash; `aborted` if it is the hash of another plan
 */
export function checkedHash(
  expected: string,
  lines: readonly string[],
  counts: Pick<PlanHash, "count" | "refusedCount">,
): string {
  const digest = createHash("sha256");
  for (const line of lines) digest.update(`${line}\n`);
  const hash = { ...counts, digest: digest.digest("hex") };
  refuseChangedPlan(parsePlanHash(expected), hash, planWords);
  return formatPlanHash(hash);
}

const planWords: PlanWords = {
  plan: "selection",
  words: ({ count, refusedCount }) =>
    `${counted(count, "credential")}${refusedCount === 0 ? "" : ` and ${refusedCount} that can't be reissued`}`,
  remedy: "Check it again (dry_run), and send its plan_hash.",
  facts: ({ count }) => ({ count: String(count) }),
};
