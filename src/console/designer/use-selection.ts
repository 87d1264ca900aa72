import { useRef, useState } from "react";
import type { Item } from "./items.js";

export function useSelection(items: readonly Item[]) {
  const [selected, select] = useState<readonly string[]>([]);
  const fresh = useRef<{ readonly path: string; readonly from: Element | null }>(undefined);
  const companions = ({ path, group }: Item) =>
    group === undefined ? [path] : items.filter((each) => each.group === group).map((each) => each.path);
  return {
    selected,
    select,
    companions,
    selectAll() {
      select(items.filter(({ isHidden, isGround }) => !isHidden && !isGround).map(({ path }) => path));
    },
    /** Selects an item and the rest of its group. With `adds`, other items stay selected. */
    pick(item: Item, adds = false) {
      const paths = companions(item);
      const others = selected.filter((path) => !paths.includes(path));
      select(adds ? [...others, ...paths] : paths);
    },
    /** Selects a new item, and focuses it as soon as it is on the page, unless the user has moved the focus by then. */
    selectFresh(path: string) {
      fresh.current = { path, from: document.activeElement };
      select([path]);
    },
    /** The `ref` of each item on the page. */
    focusFresh(button: HTMLElement | null) {
      const added = fresh.current;
      if (!button || !added || button.dataset.path !== added.path) return;
      fresh.current = undefined;
      const { activeElement } = document;
      const isWaiting = activeElement === added.from || activeElement?.matches("body, .stage-page");
      if (isWaiting) button.focus({ preventScroll: true });
    },
    /** Moves the focus to the first field or, if there is none, to the actions. */
    openProperties() {
      const first = (what: string) => document.querySelector<HTMLElement>(`.designer-properties ${what}`);
      (first(":is(input, select, textarea)") ?? first("button"))?.focus();
    },
    leaveProperties() {
      document.querySelector<HTMLElement>(SELECTED)?.focus();
    },
  };
}

export const SELECTED = '.stage-item[aria-pressed="true"]';

export type Selection = ReturnType<typeof useSelection>;
