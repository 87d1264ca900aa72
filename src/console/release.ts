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
 * Handles parts of the console that can't be loaded. If the service responds, it has a newer release with other files,
 * so the tab reloads, but only once for each error. If the service is unreachable, the tab reloads when it is reachable
 * again.
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
