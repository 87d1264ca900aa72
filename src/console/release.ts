import { noteAway } from "./service/connection.js";
import { HOME } from "./service/home.js";

let isQuiet = false;

/** Loads parts that nobody has opened yet. Errors are ignored until someone opens the part. */
export async function quietly(load: () => Promise<void>): Promise<void> {
  isQuiet = true;
  await load().catch(() => {});
  isQuiet = false;
}

const KEY = "console.reloaded-for";

/**
 * Handles parts of the console that can't be loaded, which are shown as failures. If the service responds, the tab is
 * of an earlier release whose assets no longer exist: it reloads, once per asset. If the service is unreachable, the
 * page is loaded when it is back.
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
      () => noteAway(() => location.reload()),
    );
  });
}
