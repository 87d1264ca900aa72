import type { AnyRoute } from "@tanstack/react-router";
import { nextLazy } from "./components/lazily.js";
import { chapterNames, loadChapter } from "./i18n/load-chapter.js";
import { language } from "./i18n/preferences.js";
import { loadQuietly } from "./release.js";
import { pageLoaders, router } from "./routes.js";

/** By this time, the first page is usually loaded and being read. */
const PREFETCH_DELAY_MS = 5000;

/** Fetches the code of the page that the URL shows, while the texts are being fetched. */
export function prefetchPage(): void {
  const routes: Readonly<Record<string, AnyRoute>> = router.routesById;
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const { component } = routes[routeId]?.options ?? {};
    // The router loads the code again when it shows the page, and handles errors then.
    Promise.resolve(component?.preload?.()).catch(() => {});
  }
}

/**
 * Fetches all other pages, dialogs and texts while the browser is idle. They can then be opened quickly, even if the
 * service is unreachable. Does nothing if the browser saves data.
 */
export function prefetchWhenIdle(): void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  if (connection?.saveData) return;
  setTimeout(() => whenIdle(() => void loadQuietly(prefetch)), PREFETCH_DELAY_MS);
}

async function prefetch(): Promise<void> {
  const tag = language.get();
  for (const chapter of await chapterNames(tag)) await loadChapter(chapter, tag);
  for (const load of pageLoaders) await load();
  // Loading a page registers its dialogs, and loading these may register others.
  for (let load = nextLazy(); load; load = nextLazy()) await load();
}

/** Runs work when the browser is idle. Safari lacks `requestIdleCallback`. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work);
}
