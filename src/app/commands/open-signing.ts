import type { App } from "../app.js";

/** Opens what jobs sign with, so that a wrong key or policy stops the start. */
export async function openSigning(app: App): Promise<void> {
  await Promise.all([app.openSeals(), app.openLogSigning()]);
}
