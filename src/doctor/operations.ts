import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { Problem } from "../errors.js";
import type { DoOperation, OperationKind } from "../operations/operation.js";
import { findOperation } from "../operations/operation-store.js";
import { diagnose } from "./diagnose.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import type { Finding, FindingKind } from "./finding.js";
import { isRepairable, type Repair } from "./repair.js";

/** Findings of one kind that a result shows. */
const SHOWN_OF_A_KIND = 20;

/** Findings of one plan. Others are in the plan of the next diagnosis. */
const MOST_REPAIRS = 10_000;

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

/** What a worker examines and repairs for staff who ask in the console. */
export function doctorOperations(
  deps: DoctorDeps,
  repair: Repair,
): Partial<Record<OperationKind, DoOperation>> {
  return {
    async diagnosis({ options }, tell, signal) {
      const stats: DiagnosisStats = { credentialFiles: 0, storedFiles: 0, assets: 0 };
      const diagnosis = { withHashes: options.withHashes ?? false, stats, now: new Date(), expected: [] };
      const found: FoundKinds = {};
      const plan: Finding[] = [];
      const counting = setInterval(() => tell({ stage: "", done: looked(stats), total: 0 }), 1_000);
      try {
        for await (const finding of diagnose(deps, diagnosis, signal)) {
          signal.throwIfAborted();
          add(found, finding);
          if (isRepairable(finding.kind) && plan.length < MOST_REPAIRS) plan.push(finding);
        }
      } finally {
        clearInterval(counting);
      }
      tell({ stage: "", done: looked(stats), total: looked(stats) });
      return { found, stats: countsOf(stats), plan, repaired: 0 } satisfies DiagnosisOutcome;
    },

    async repair({ options }, tell, signal) {
      const { plan } = await diagnosisOf(deps.database.knex, options.diagnosisId ?? 0);
      const found: FoundKinds = {};
      let repaired = 0;
      for (const [done, finding] of plan.entries()) {
        signal.throwIfAborted();
        const outcome = await repair(finding);
        if (outcome === "repaired") repaired++;
        add(found, { ...finding, outcome: outcome === "repaired" ? outcome : outcome.because });
        tell({ stage: "", done: done + 1, total: plan.length });
      }
      const stats = { credentialFiles: 0, storedFiles: 0, assets: 0 };
      return { found, stats, plan: [], repaired } satisfies DiagnosisOutcome;
    },
  };
}

/** Returns what a diagnosis has found. @throws Problem `not-found` */
export async function diagnosisOf(db: Knex, id: number): Promise<DiagnosisOutcome> {
  const operation = await findOperation(db, id);
  if (operation?.kind === "diagnosis" && operation.state === "done")
    return operation.result as DiagnosisOutcome;
  throw new Problem("not-found", `There is no diagnosis ${id} that was done.`);
}

function add(found: FoundKinds, finding: JudgedFinding): void {
  const group = found[finding.kind] ?? { count: 0, shown: [] };
  found[finding.kind] = group;
  group.count++;
  if (group.shown.length < SHOWN_OF_A_KIND) group.shown.push(finding);
}

function countsOf({ credentialFiles, storedFiles, assets }: DiagnosisStats): DiagnosisOutcome["stats"] {
  return { credentialFiles, storedFiles, assets };
}

function looked({ credentialFiles, storedFiles, assets }: DiagnosisStats): number {
  return credentialFiles + storedFiles + assets;
}
