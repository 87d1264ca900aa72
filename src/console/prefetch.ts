import { nextLazy } from "./components/lazily.js";
import { chapterNames, loadChapter } from "./i18n/load-chapter.js";
import { language } from "./i18n/preferences.js";
import { quietly } from "./release.js";
import { pageLoaders } from "./routes.js";

/** By then, the first page is loaded, and someone reads it. */
const WAIT_MS = 5000;

/**
 * Fetches all other pages, dialogs and texts while the browser is idle, so that they are available if the service is
 * slow or unreachable. Not done if the reader saves data.
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
  // Pages register dialogs, and these register others.
  for (let load = nextLazy(); load; load = nextLazy()) await load();
}

/** Runs work when the browser is idle. Safari lacks the callback. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work);
}
