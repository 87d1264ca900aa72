const KEY = "console.reloaded-for";

/**
 * A tab of an earlier release asks for assets that are gone. It reloads once; a second failure for the same asset is
 * shown.
 */
export function reloadForNewRelease(): void {
  addEventListener("vite:preloadError", (event) => {
    const what = String((event as Event & { payload?: Error }).payload?.message ?? "");
    if (sessionStorage.getItem(KEY) === what) return;
    sessionStorage.setItem(KEY, what);
    event.preventDefault();
    location.reload();
  });
}
