import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { findOperation } from "#domain/operations/operation-store.js";
import { Problem } from "#foundation/errors.js";
import type { DiagnosisStats } from "./doctor-deps.js";
import type { Finding, FindingKind } from "./finding.js";

/** A finding, and what a repair has made of it. */
export type JudgedFinding = Finding & {
  /** `repaired`, or why not; undefined: nobody has tried */
  readonly outcome?: string;
};

/** Findings by kind: how many, and the first of them. */
export type FoundKinds = Partial<Record<FindingKind, { count: number; readonly shown: JudgedFinding[] }>>;

/** The result of a diagnosis, or of a repair. */
export interface DiagnosisOutcome {
  readonly found: FoundKinds;
  readonly stats: Pick<DiagnosisStats, "credentialFiles" | "storedFiles" | "assets">;
  /** What a repair of this diagnosis repairs, and nothing else. */
  readonly plan: readonly Finding[];
  /** Of a repair: how many were repaired. */
  readonly repaired: number;
}

/** Stands for the findings of a plan; empty if there are none. */
export function planHashOf(plan: readonly Finding[]): string {
  const texts = plan.map(({ kind, credentialUuid, fileKey }) => [kind, credentialUuid, fileKey]);
  return plan.length === 0 ? "" : createHash("sha256").update(JSON.stringify(texts)).digest("base64url");
}

/** Returns what a diagnosis has found. @throws Problem `not-found` */
export async function diagnosisOf(db: Knex, id: number): Promise<DiagnosisOutcome> {
  const operation = await findOperation(db, id);
  if (operation?.kind === "diagnosis" && operation.state === "done")
    return operation.result as DiagnosisOutcome;
  throw new Problem("not-found", `There is no diagnosis ${id} that was done.`);
}
