import type { GenerationDeps } from "#domain/credentials/generation/generate-credential.js";
import { readTsaAnchors } from "#domain/keys/seals.js";
import type { DoctorDeps } from "#runtime/doctor/doctor-deps.js";
import { doctorOperations } from "#runtime/doctor/operations.js";
import { createRepair } from "#runtime/doctor/repair.js";
import type { App } from "./app.js";
import { generationDepsOf } from "./dependencies.js";

/** Returns the functions that run the diagnosis and repair operations that staff request. */
export async function openDoctorOperations(app: App) {
  const deps = await openDoctor(app);
  return doctorOperations(deps, createRepair(deps));
}

export async function openDoctor(app: App): Promise<DoctorDeps & GenerationDeps> {
  const { config } = app;
  return {
    ...generationDepsOf(app),
    signingKeys: app.signingKeys,
    checkEmail: app.checkEmail,
    eventRetentionDays: config.eventRetentionDays,
    timestampAnchors: await readTsaAnchors(config.timestamps.caFile),
  };
}
