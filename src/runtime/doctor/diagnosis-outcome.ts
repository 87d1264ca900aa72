import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { findOperation } from "#domain/operations/operation-store.js";
import { Problem } from "#foundation/errors.js";
import type { DiagnosisStats } from "./doctor-deps.js";
import type { Finding, FindingKind } from "./finding.js";

/** A finding with the outcome of its repair. */
export type JudgedFinding = Finding & {
  /** `repaired`, or why it wasn't repaired; undefined before a repair */
  readonly outcome?: string;
};

/** For each kind of finding: their number, and the first few. */
export type FoundKinds = Partial<Record<FindingKind, { count: number; readonly shown: JudgedFinding[] }>>;

/** The result of a diagnosis or repair. */
export interface DiagnosisOutcome {
  readonly found: FoundKinds;
  readonly stats: Pick<DiagnosisStats, "credentialFiles" | "storedFiles" | "assets">;
  /** The findings that a repair of this diagnosis will repair; no others are. */
  readonly plan: readonly Finding[];
  /** Number of repaired findings; 0 for a diagnosis. */
  readonly repaired: number;
}

/** Returns a hash that identifies the findings of a plan; empty if there are none. */
export function planHashOf(plan: readonly Finding[]): string {
  const texts = plan.map(({ kind, credentialUuid, fileKey }) => [kind, credentialUuid, fileKey]);
  return plan.length === 0 ? "" : createHash("sha256").update(JSON.stringify(texts)).digest("base64url");
}

/**
 * Returns the result of a diagnosis.
 * @throws Problem `not-found` if there is no such diagnosis, or it hasn't finished
 */
export async function diagnosisOf(db: Knex, id: number): Promise<DiagnosisOutcome> {
  const operation = await findOperation(db, id);
  if (operation?.kind === "diagnosis" && operation.state === "done")
    return operation.result as DiagnosisOutcome;
  throw new Problem("not-found", `There is no completed diagnosis ${id}.`);
}
