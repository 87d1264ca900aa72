import type { JsonObject } from "@bufbuild/protobuf";
import { useChapter } from "../i18n/chapter.js";
import { duplicated, without } from "./add-item.js";
import type { Item } from "./items.js";
import { useAnnouncements } from "./use-announcements.js";
import { useDesignPreview } from "./use-design-preview.js";
import { type Designed, useEditedOptions } from "./use-edited-options.js";
import { useMoves } from "./use-moves.js";
import { useSelection } from "./use-selection.js";

export type DesignerState = ReturnType<typeof useDesigner>;

/** A design, its preview, and the actions on it. */
export function useDesigner(designed: Designed) {
  const words = useChapter("designer");
  const edited = useEditedOptions(designed);
  const { options, stored } = edited;
  const preview = useDesignPreview(options, edited.own, edited.tried !== undefined, designed.previewOf);
  const selection = useSelection();
  const announcements = useAnnouncements(options);
  const { say, namesOf } = announcements;
  const moves = useMoves(edited, preview, announcements, selection.selected);
  const pathsOf = (items: readonly Item[]) => items.map(({ path }) => path);

  function change(changed: JsonObject, what?: string) {
    const after = edited.change(changed, what);
    if (after.template !== stored.template && after.shapes !== changed.shapes)
      say(words.pageReplaced({ name: String(after.template) }));
  }
  return {
    ...edited,
    ...preview,
    ...selection,
    ...announcements,
    ...moves,
    isReadOnly: designed.isReadOnly,
    change,
    add(after: JsonObject, path: string) {
      change(after);
      selection.selectFresh(path);
    },
    remove(items: readonly Item[]) {
      change(without(options, pathsOf(items)));
      say(words.isRemoved({ item: namesOf(items) }));
      selection.select([]);
    },
    duplicate(items: readonly Item[]) {
      const { options: after, paths } = duplicated(options, pathsOf(items));
      change(after);
      selection.select(paths);
    },
  };
}
