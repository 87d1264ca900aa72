import { useRef, useState } from "react";

/** The selection, with the focus following it. */
export function useSelection() {
  const [selected, select] = useState<readonly string[]>([]);
  const fresh = useRef<{ readonly path: string; readonly from: Element | null }>(undefined);
  return {
    selected,
    select,
    /** Focuses a new item as soon as it is on the page, unless the focus has moved elsewhere meanwhile. */
    selectFresh(path: string) {
      fresh.current = { path, from: document.activeElement };
      select([path]);
    },
    /** For the `ref` of items on the page. */
    focusFresh(button: HTMLElement | null) {
      const added = fresh.current;
      if (!button || !added || button.dataset.path !== added.path) return;
      fresh.current = undefined;
      if ([added.from, document.body].includes(document.activeElement)) button.focus({ preventScroll: true });
    },
    openProperties() {
      document
        .querySelector<HTMLElement>(".designer-properties :is(input, select, textarea, button)")
        ?.focus();
    },
    leaveProperties() {
      document.querySelector<HTMLElement>('.stage-item[aria-pressed="true"]')?.focus();
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
