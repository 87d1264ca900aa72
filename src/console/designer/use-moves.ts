import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useChapter } from "../i18n/words.js";
import { type Item, type Rectangle, union } from "./items.js";
import { aligned, distributed, type Edge, moved, type Offset, resized, withinMargins } from "./move-items.js";
import type { Announcements } from "./use-announcements.js";
import type { Arranging } from "./use-arranging.js";
import type { PreviewState } from "./use-design-preview.js";
import type { EditedOptions } from "./use-edited-options.js";
import type { Selection } from "./use-selection.js";

/** Moves and resizes items on the page, either in one step or during a drag. */
export function useMoves(
  edited: EditedOptions,
  { layout, items, itemsWith }: PreviewState,
  { sayPlace, say, nameOf }: Announcements,
  { selected, unlocked }: Pick<Selection, "selected"> & Pick<Arranging, "unlocked">,
) {
  const words = useChapter("designer");
  const { options, stored, tried, setTried, change } = edited;
  const pathsOf = (them: readonly Item[]) => them.map(({ path }) => path);

  function move(wanted: ReadonlyMap<Item, Offset>) {
    const free = unlocked([...wanted.keys()]);
    if (!layout || free.length === 0) return;
    const ways = new Map([...wanted].filter(([item]) => free.includes(item)));
    const after = moved(options, layout, ways, items);
    const paths = pathsOf([...ways.keys()]);
    sayPlace(itemsWith(after).filter(({ path }) => paths.includes(path)));
    change(after, `move ${paths.join()}`);
  }
  return {
    move,
    resize(item: Item, by: Offset) {
      if (!layout || unlocked([item]).length === 0) return;
      change(resized(options, layout, item, by), `resize ${item.path}`);
      say(words.isResized({ item: nameOf(item) }));
    },
    tryMove(ways: ReadonlyMap<Item, Offset>, from: PreviewLayout, all: readonly Item[]) {
      setTried(moved(stored, from, ways, all));
    },
    tryResize(item: Item, by: Offset, from: PreviewLayout) {
      setTried(resized(stored, from, item, by));
    },
    /** @param isMeant true to store the temporary changes; false to discard them */
    endTrying(isMeant: boolean) {
      if (!tried) return;
      if (!isMeant) return setTried(undefined);
      sayPlace(itemsWith(tried).filter(({ path, isLocked }) => selected.includes(path) && !isLocked));
      change(tried);
    },
    align: (them: readonly Item[], edge: Edge) => move(aligned(them, edge, groundOf(them, layout))),
    distribute: (them: readonly Item[], axis: "x" | "y") => move(distributed(them, axis)),
  };
}

/**
 * Returns the rectangle to align with. A single item is aligned with the page within its margins, and several items
 * with the area that they cover together.
 */
function groundOf(items: readonly Item[], layout: PreviewLayout | undefined): Rectangle {
  if (items.length > 1 || !layout) return union(items.map(({ box }) => box));
  return withinMargins(layout);
}
