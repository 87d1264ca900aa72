import { missingScripts } from "#formats/rendering/text/optional-fonts.js";
import { checkAssets } from "./check-assets.js";
import { checkBadges } from "./check-badges.js";
import { checkCheckpoints } from "./check-checkpoints.js";
import { checkCredentialFiles } from "./check-credential-files.js";
import { checkDocuments } from "./check-documents.js";
import { checkEmailServer } from "./check-email-server.js";
import { checkEvents } from "./check-events.js";
import { checkFonts } from "./check-fonts.js";
import { checkHistory } from "./check-history.js";
import { checkJobs } from "./check-jobs.js";
import { checkRegistries, type RegistryCheck } from "./check-registries.js";
import { checkReplication } from "./check-replication.js";
import { checkRuns } from "./check-runs.js";
import { checkSeals } from "./check-seals.js";
import { checkDrafts, checkStoredFiles } from "./check-stored-files.js";
import { checkWebhooks } from "./check-webhooks.js";
import type { DiagnosisStats, DoctorDeps, EventMark } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

interface Diagnosis {
  /** True to read every byte of every file; false to check only existence and size. */
  readonly withHashes: boolean;
  /** Receives the numbers of examined items. */
  readonly stats: DiagnosisStats;
  readonly now: Date;
  /** Events that were recorded elsewhere, for comparison. */
  readonly expected: readonly EventMark[];
  /** undefined to query no registries. */
  readonly registries?: RegistryCheck | undefined;
}

/**
 * Finds inconsistencies between the database, the file store and the queue, and changes that bypassed the service. Uses
 * constant memory. The service may be running: faults that its jobs will repair are not reported.
 * @throws Problem `unavailable` if the file store can't be reached
 */
export async function* diagnose(
  deps: DoctorDeps,
  { withHashes, stats, now, expected, registries }: Diagnosis,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  yield* checkCredentialFiles(deps, stats, withHashes, signal);
  yield* checkStoredFiles(deps, stats, now, signal);
  yield* checkDrafts(deps, now, signal);
  yield* checkJobs(deps, signal);
  yield* checkAssets(deps, stats, withHashes, signal);
  yield* checkBadges(deps, withHashes, signal);
  yield* checkSeals(deps, withHashes, signal);
  yield* checkFonts(deps, missingScripts());
  yield* checkDocuments(deps, signal);
  yield* checkRuns(deps, signal);
  yield* checkWebhooks(deps);
  yield* checkEmailServer(deps);
  yield* checkReplication(deps);
  if (registries) yield* checkRegistries(registries);
  yield* checkEvents(deps, stats, expected, signal);
  yield* checkCheckpoints(deps, withHashes, now, signal);
  yield* checkHistory(deps, signal);
}
