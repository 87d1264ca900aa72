import { createHash } from "node:crypto";
import { findOperation } from "#domain/operations/operation-store.js";
import { Problem } from "#foundation/errors.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { DiagnosisStats } from "./doctor-deps.js";
import type { Finding, FindingKind } from "./finding.js";

export type JudgedFinding = Finding & {
  /** `repaired`, or the reason why it wasn't repaired; undefined before a repair. */
  readonly outcome?: string;
};

/** The number of findings of each kind, with the first few findings. */
export type FoundKinds = Partial<Record<FindingKind, { count: number; readonly shown: JudgedFinding[] }>>;

export interface DiagnosisOutcome {
  readonly found: FoundKinds;
  readonly stats: Pick<DiagnosisStats, "credentialFiles" | "storedFiles" | "assets">;
  /** The findings to repair. */
  readonly plan: readonly Finding[];
  /** Number of repaired findings; 0 for a diagnosis. */
  readonly repaired: number;
}

/** Returns a hash that identifies the findings of a plan; empty if there are none. */
export function planHashOf(plan: readonly Finding[]): string {
  const texts = plan.map(({ kind, credentialUuid, fileKey }) => [kind, credentialUuid, fileKey]);
  return plan.length === 0 ? "" : createHash("sha256").update(JSON.stringify(texts)).digest("base64url");
}

/** @throws Problem `not-found` if the diagnosis doesn't exist or hasn't finished */
export async function diagnosisOf(db: Knex, id: number): Promise<DiagnosisOutcome> {
  const operation = await findOperation(db, id);
  if (operation?.kind === "diagnosis" && operation.state === "done")
    return operation.result as DiagnosisOutcome;
  throw new Problem("not-found", `There is no completed diagnosis ${id}.`);
}
