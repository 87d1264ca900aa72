import type { App } from "../app.js";

/** Opens the keys with which jobs sign, so that a wrong key or policy is reported at startup. */
export async function openSigning(app: App): Promise<void> {
  await Promise.all([app.openSeals(), app.openLogSigning()]);
}
