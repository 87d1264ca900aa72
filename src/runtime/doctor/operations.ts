import type { DoOperation, OperationKind } from "#domain/operations/operation.js";
import { diagnose } from "./diagnose.js";
import {
  type DiagnosisOutcome,
  diagnosisOf,
  type FoundKinds,
  type JudgedFinding,
} from "./diagnosis-outcome.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";
import { isRepairable, type Repair } from "./repair.js";

/** Maximum number of findings of each kind in a result. */
const MAX_PER_KIND = 20;

/** Maximum number of repairs in a plan. The next diagnosis plans the remaining ones. */
const MAX_REPAIRS = 10_000;

/** The diagnosis and repair operations. Staff request them in the console, and a worker runs them. */
export function doctorOperations(
  deps: DoctorDeps,
  repair: Repair,
): Partial<Record<OperationKind, DoOperation>> {
  return {
    async diagnosis({ options }, onProgress, signal) {
      const stats: DiagnosisStats = { credentialFiles: 0, storedFiles: 0, assets: 0 };
      const diagnosis = { withHashes: options.withHashes ?? false, stats, now: new Date(), expected: [] };
      const found: FoundKinds = {};
      const plan: Finding[] = [];
      const counting = setInterval(
        () => onProgress({ stage: "", done: checkedCount(stats), total: 0 }),
        1_000,
      );
      try {
        for await (const finding of diagnose(deps, diagnosis, signal)) {
          signal.throwIfAborted();
          add(found, finding);
          if (isRepairable(finding.kind) && plan.length < MAX_REPAIRS) plan.push(finding);
        }
      } finally {
        clearInterval(counting);
      }
      onProgress({ stage: "", done: checkedCount(stats), total: checkedCount(stats) });
      return { found, stats: countsOf(stats), plan, repaired: 0 } satisfies DiagnosisOutcome;
    },

    async repair({ options }, onProgress, signal) {
      const { plan } = await diagnosisOf(deps.database.knex, options.diagnosisId ?? 0);
      const found: FoundKinds = {};
      let repaired = 0;
      for (const [done, finding] of plan.entries()) {
        signal.throwIfAborted();
        const outcome = await repair(finding);
        if (outcome === "repaired") repaired++;
        add(found, { ...finding, outcome: outcome === "repaired" ? outcome : outcome.because });
        onProgress({ stage: "", done: done + 1, total: plan.length });
      }
      const stats = { credentialFiles: 0, storedFiles: 0, assets: 0 };
      return { found, stats, plan: [], repaired } satisfies DiagnosisOutcome;
    },
  };
}

function add(found: FoundKinds, finding: JudgedFinding): void {
  const group = found[finding.kind] ?? { count: 0, shown: [] };
  found[finding.kind] = group;
  group.count++;
  if (group.shown.length < MAX_PER_KIND) group.shown.push(finding);
}

function countsOf({ credentialFiles, storedFiles, assets }: DiagnosisStats): DiagnosisOutcome["stats"] {
  return { credentialFiles, storedFiles, assets };
}

function checkedCount({ credentialFiles, storedFiles, assets }: DiagnosisStats): number {
  return credentialFiles + storedFiles + assets;
}
