import { noteAway } from "./service/connection.js";
import { HOME } from "./service/home.js";

let isQuiet = false;

/** Loads parts that nobody has opened yet: what is missing is nobody's trouble, until someone opens it. */
export async function quietly(load: () => Promise<void>): Promise<void> {
  isQuiet = true;
  await load().catch(() => {});
  isQuiet = false;
}

const KEY = "console.reloaded-for";

/**
 * A part of the console that can't be loaded is shown as a failure, inside what is there. If the service answers, the
 * tab is of an earlier release, and its assets are gone: it reloads, once for the same asset. If the service is away,
 * the page is loaded when it is back.
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
