import type { ConsoleSettings } from "#foundation/console-settings.js";

export const settings: ConsoleSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="console-settings"]')?.content ?? "{}",
);
