import type { App } from "./app.js";
import { createMakeDocumentBadge } from "./credentials/badges/make-badge.js";
import type { GenerationDeps } from "./credentials/generation/generate-credential.js";
import type { DoctorDeps } from "./doctor/doctor-deps.js";
import { doctorOperations } from "./doctor/operations.js";
import { createRepair } from "./doctor/repair.js";
import { readTsaAnchors } from "./settings/seals.js";

/** Returns what does the operations of the doctor that staff ask for. */
export async function openDoctorOperations(app: App) {
  const deps = await openDoctor(app);
  return doctorOperations(deps, createRepair(deps));
}

/** Returns what examining and repairing need. */
export async function openDoctor(app: App): Promise<DoctorDeps & GenerationDeps> {
  const { config, publicUrl } = app;
  return {
    ...app,
    outputDir: config.outputDir,
    eventRetentionDays: config.eventRetentionDays,
    timestampAnchors: await readTsaAnchors(config.timestamps.caFile),
    publicUrl: publicUrl.get,
    makeDocumentBadge: createMakeDocumentBadge({ ...app, publicUrl: publicUrl.get }),
  };
}
