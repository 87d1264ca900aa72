import { reportUnreachable } from "./service/connection.js";
import { HOME } from "./service/home.js";

let isQuiet = false;

/** Loads parts of the console that nobody has opened yet. Ignores errors, because opening a part loads it again. */
export async function loadQuietly(load: () => Promise<void>): Promise<void> {
  isQuiet = true;
  await load().catch(() => {});
  isQuiet = false;
}

const KEY = "console.reloaded-for";

/**
 * Handles parts of the console that can't be loaded. If the service responds, its assets belong to a newer release, so
 * the tab reloads, but only once for each asset. If the service is unreachable, the error is shown, and the page is
 * loaded when the service is reachable again.
 */
export function reloadForNewRelease(): void {
  addEventListener("vite:preloadError", (event) => {
    if (isQuiet) return;
    const what = String((event as Event & { payload?: Error }).payload?.message ?? "");
    fetch(`${HOME}../readyz`, { cache: "no-store" }).then(
      () => {
        if (sessionStorage.getItem(KEY) === what) return;
        sessionStorage.setItem(KEY, what);
        location.reload();
      },
      () => reportUnreachable(() => location.reload()),
    );
  });
}
