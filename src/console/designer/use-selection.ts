import { useRef, useState } from "react";
import type { Item } from "./items.js";

/** The selection, with the focus following it. */
export function useSelection(items: readonly Item[]) {
  const [selected, select] = useState<readonly string[]>([]);
  const fresh = useRef<{ readonly path: string; readonly from: Element | null }>(undefined);
  /** An item with those of its group. */
  const companions = ({ path, group }: Item) =>
    group === undefined ? [path] : items.filter((each) => each.group === group).map((each) => each.path);
  return {
    selected,
    select,
    companions,
    selectAll() {
      select(items.filter(({ isHidden, isGround }) => !isHidden && !isGround).map(({ path }) => path));
    },
    /** Selects an item with its group, alone or beside what is selected. */
    pick(item: Item, adds = false) {
      const paths = companions(item);
      const others = selected.filter((path) => !paths.includes(path));
      select(adds ? [...others, ...paths] : paths);
    },
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
    /** Leads to the first field, or to the actions where there is none. */
    openProperties() {
      const first = (what: string) => document.querySelector<HTMLElement>(`.designer-properties ${what}`);
      (first(":is(input, select, textarea)") ?? first("button"))?.focus();
    },
    leaveProperties() {
      document.querySelector<HTMLElement>('.stage-item[aria-pressed="true"]')?.focus();
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
