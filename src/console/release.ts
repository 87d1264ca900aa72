import { reportUnreachable } from "./service/connection.js";
import { HOME } from "./service/home.js";

let isQuiet = false;

/** Errors that occurred while parts were loaded in advance. */
const ignored = new WeakSet<object>();

/**
 * Loads parts of the console that nobody has opened yet. Ignores errors, because opening a part loads it again, and
 * because a reload would lose what the user is entering.
 */
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
    const { payload } = event as Event & { readonly payload: Error };
    if (isQuiet) ignored.add(payload);
    else reload(payload);
  });
}

/** Handles an error that is shown to the user but was ignored, because the part was also being loaded in advance. */
export function reloadIfIgnored(shown: unknown): void {
  const error = shown instanceof Error ? (shown.cause ?? shown) : shown;
  if (error instanceof Error && ignored.delete(error)) reload(error);
}

function reload({ message }: Error): void {
  fetch(`${HOME}../readyz`, { cache: "no-store" }).then(
    () => {
      if (sessionStorage.getItem(KEY) === message) return;
      sessionStorage.setItem(KEY, message);
      location.reload();
    },
    () => reportUnreachable(() => location.reload()),
  );
}
