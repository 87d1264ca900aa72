import type { App } from "../app.js";

/** Opens the keys that jobs sign with, so that startup reports a wrong key or policy. */
export async function openSigning(app: App): Promise<void> {
  await Promise.all([app.openSeals(), app.openLogSigning()]);
}
