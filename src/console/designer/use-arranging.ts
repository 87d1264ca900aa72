import type { JsonObject } from "@bufbuild/protobuf";
import { useState } from "react";
import { useChapter } from "../i18n/words.js";
import { isSame } from "../options/same-value.js";
import { removeElements } from "./add-item.js";
import { grouped, type Order, withEach, withOrder } from "./arrange.js";
import { blocksOf, joined } from "./blocks.js";
import { copyElements, isCopyable, pasteElements } from "./copied-items.js";
import type { Item } from "./items.js";
import type { Announcements } from "./use-announcements.js";
import type { PreviewState } from "./use-design-preview.js";
import type { Selection } from "./use-selection.js";

/** The last copy in this tab, even from another design. A menu can't read the clipboard without a permission. */
let lastCopied: string | undefined;

interface Edited {
  readonly options: JsonObject;
  readonly change: (changed: JsonObject) => void;
}

/** Locks, hides, groups, orders, copies and removes items. Each action can be undone in one step. */
export function useArranging(
  edited: Edited,
  preview: PreviewState,
  announcements: Announcements,
  { select }: Selection,
) {
  const words = useChapter("designer");
  const [menuAt, openMenu] = useState<{ readonly x: number; readonly y: number }>();
  const { options, change } = edited;
  const { items, layout } = preview;
  const { say, namesOf } = announcements;
  const did = (act: string, them: readonly Item[]) => say(words.did({ act, item: namesOf(them) }));

  /** Returns the items that aren't locked. If all are locked, announces that. */
  function unlocked(them: readonly Item[]): readonly Item[] {
    const free = them.filter(({ isLocked }) => !isLocked);
    if (free.length === 0 && them.length > 0) say(words.isLocked({ item: namesOf(them) }));
    return free;
  }
  function remove(them: readonly Item[]) {
    const free = unlocked(them);
    if (free.length === 0) return;
    change(removeElements(options, pathsOf(free)));
    say(words.isRemoved({ item: namesOf(free) }));
    select([]);
  }
  /** Returns undefined if the order would stay the same. */
  function ordered(them: readonly Item[], order: Order) {
    const result = withOrder(options, pathsOf(them), order);
    return isSame(result.options, options) ? undefined : result;
  }
  return {
    ...useCopying(edited, select, announcements, unlocked, remove),
    unlocked,
    menuAt,
    openMenu,
    remove,
    canOrder: (them: readonly Item[], order: Order) => ordered(them, order) !== undefined,
    order(them: readonly Item[], order: Order) {
      const result = ordered(them, order);
      if (!result) return;
      change(result.options);
      select(result.paths);
      did(
        words.acts[order],
        them.filter(({ path }) => result.ordered.includes(path)),
      );
    },
    setLocked(them: readonly Item[], isOn: boolean) {
      change(withEach(options, pathsOf(them), "locked", isOn || undefined));
      did(isOn ? words.acts.lock : words.acts.unlock, them);
    },
    setHidden(them: readonly Item[], isOn: boolean) {
      const free = unlocked(them);
      if (free.length === 0) return;
      change(withEach(options, pathsOf(free), "hidden", isOn || undefined));
      did(isOn ? words.acts.hide : words.acts.show, free);
    },
    group(them: readonly Item[]) {
      change(grouped(options, pathsOf(them)));
      did(words.acts.group, them);
    },
    ungroup(them: readonly Item[]) {
      change(withEach(options, pathsOf(them), "group", undefined));
      did(words.acts.ungroup, them);
    },
    blocks: blocksOf(options, items),
    join(item: Item, block: string) {
      if (!layout) return;
      change(joined(options, layout, item, block, blocksOf(options, items).get(block) ?? []));
      did(words.joinBlock, [item]);
    },
  };
}

function pathsOf(items: readonly Item[]): readonly string[] {
  return items.map(({ path }) => path);
}

function useCopying(
  { options, change }: Edited,
  select: Selection["select"],
  { say, namesOf }: Announcements,
  unlocked: (them: readonly Item[]) => readonly Item[],
  remove: (them: readonly Item[]) => void,
) {
  const { acts, did, several, isNotCut } = useChapter("designer");
  const canCopy = ({ path }: Item) => isCopyable(options, path);
  function copy(them: readonly Item[]): string | undefined {
    const text = copyElements(options, pathsOf(them));
    if (text === undefined) return undefined;
    lastCopied = text;
    say(did({ act: acts.copy, item: namesOf(them.filter(canCopy)) }));
    return text;
  }
  function add(text: string | undefined, act: string): boolean {
    const result = pasteElements(options, text);
    if (!result) return false;
    change(result.options);
    select(result.paths);
    say(did({ act, item: several({ n: result.paths.length }) }));
    return true;
  }
  return {
    copy,
    canPaste: () => lastCopied !== undefined,
    canCopy: (them: readonly Item[]) => them.some(canCopy),
    /** @returns whether the text contained copied elements */
    paste: (text: string | undefined = lastCopied) => add(text, acts.paste),
    cut(them: readonly Item[]): string | undefined {
      const free = unlocked(them);
      const text = free.length > 0 ? copy(free) : undefined;
      if (text === undefined) return undefined;
      remove(free.filter(canCopy));
      const kept = free.filter((item) => !canCopy(item));
      if (kept.length > 0) say(isNotCut({ item: namesOf(kept) }));
      select(pathsOf(kept));
      return text;
    },
    duplicate: (them: readonly Item[]) => add(copyElements(options, pathsOf(them)), acts.duplicate),
  };
}

export type Arranging = ReturnType<typeof useArranging>;
