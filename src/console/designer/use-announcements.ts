import type { JsonObject } from "@bufbuild/protobuf";
import { useState } from "react";
import { useChapter, useFormats, useList } from "../i18n/words.js";
import { type Item, union } from "./items.js";
import { POINTS_IN_MM } from "./move-items.js";
import { nameOfItem } from "./name-item.js";

/** Announces changes to screen readers, and names items. */
export function useAnnouncements(options: JsonObject) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { number } = useFormats();
  const list = useList();
  const [announcement, announce] = useState("");
  const mm = (points: number, digits = 2) => number(Number((points / POINTS_IN_MM).toFixed(digits)));
  const nameOf = (item: Item) => nameOfItem(item, options, words, optionNames);
  const namesOf = (items: readonly Item[]) => list(items.map(nameOf));
  return {
    announcement,
    say: announce,
    mm,
    nameOf,
    namesOf,
    /** Returns an item's name, and whether the item is locked, hidden or in a group. */
    labelOf(item: Item) {
      const marks = [
        ...(item.isLocked ? [words.marks.locked] : []),
        ...(item.isHidden ? [words.marks.hidden] : []),
        ...(item.group !== undefined ? [words.marks.grouped] : []),
      ];
      return marks.length > 0 ? `${nameOf(item)} (${list(marks)})` : nameOf(item);
    },
    sayPlace(items: readonly Item[]) {
      const [first] = items;
      if (!first) return;
      const isOne = items.length === 1;
      const { x, y } = isOne ? first.anchor : union(items.map(({ box }) => box));
      const item = isOne ? nameOf(first) : words.several({ n: items.length });
      announce(words.isAt({ item, x: mm(x, 1), y: mm(y, 1) }));
    },
  };
}

export type Announcements = ReturnType<typeof useAnnouncements>;
