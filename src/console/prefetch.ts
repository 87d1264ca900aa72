import { nextLazy } from "./components/lazily.js";
import { chapterNames, loadChapter } from "./i18n/load-chapter.js";
import { language } from "./i18n/preferences.js";
import { quietly } from "./release.js";
import { pageLoaders } from "./routes.js";

/** The first page has come by then, and someone reads it. */
const WAIT_MS = 5000;

/**
 * Fetches all other pages, dialogs and words while nothing else is done, so that they are there when the service is
 * away, or slow. Not where the reader saves data.
 */
export function prefetchWhenIdle(): void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  if (connection?.saveData) return;
  setTimeout(() => whenIdle(() => void quietly(prefetch)), WAIT_MS);
}

async function prefetch(): Promise<void> {
  const tag = language.get();
  for (const chapter of await chapterNames(tag)) await loadChapter(chapter, tag);
  for (const load of pageLoaders) await load();
  // Pages bring along dialogs, and these bring others.
  for (let load = nextLazy(); load; load = nextLazy()) await load();
}

/** Safari has no such callback. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work);
}
