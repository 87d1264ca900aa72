import { lackingScripts } from "../rendering/text/optional-fonts.js";
import { checkAssets } from "./check-assets.js";
import { checkCredentialFiles } from "./check-credential-files.js";
import { checkEvents } from "./check-events.js";
import { checkFonts } from "./check-fonts.js";
import { checkHistory } from "./check-history.js";
import { checkJobs } from "./check-jobs.js";
import { checkRuns } from "./check-runs.js";
import { checkStoredFiles } from "./check-stored-files.js";
import type { DoctorDeps, EventMark, Looked } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

/** How to look. */
export interface Diagnosis {
  /** Whether every byte of every file is read, or only whether it is there and how long it is. */
  readonly readsAll: boolean;
  /** Counts what was looked at. */
  readonly looked: Looked;
  readonly now: Date;
  /** Events that were kept elsewhere. */
  readonly expected: readonly EventMark[];
}

/**
 * Looks for what is wrong between database, file store and queue, or was changed behind the service's back, and changes nothing. The service may be running: what its
 * jobs are about to mend, or have mended since, is not told. Memory stays flat.
 * @throws Problem `unavailable` when the store is out of reach
 */
export async function* diagnose(
  parts: DoctorDeps,
  { readsAll, looked, now, expected }: Diagnosis,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  yield* checkCredentialFiles(parts, looked, readsAll, signal);
  yield* checkStoredFiles(parts, looked, now, signal);
  yield* checkJobs(parts, signal);
  yield* checkAssets(parts, looked, readsAll, signal);
  yield* checkFonts(parts, lackingScripts());
  yield* checkRuns(parts, signal);
  yield* checkEvents(parts, looked, expected, signal);
  yield* checkHistory(parts, signal);
}
