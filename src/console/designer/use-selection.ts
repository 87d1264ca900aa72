import { useRef, useState } from "react";

/** What is selected, and the focus that follows it. */
export function useSelection() {
  const [selected, select] = useState<readonly string[]>([]);
  const fresh = useRef<{ readonly path: string; readonly from: Element | null }>(undefined);
  return {
    selected,
    select,
    /** What is added gets the focus as soon as it is on the page, unless that has gone elsewhere meanwhile. */
    selectFresh(path: string) {
      fresh.current = { path, from: document.activeElement };
      select([path]);
    },
    /** For the `ref` of what is on the page. */
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
