import type { JsonObject } from "@bufbuild/protobuf";
import { useChapter } from "../i18n/words.js";
import { useAnnouncements } from "./use-announcements.js";
import { useArranging } from "./use-arranging.js";
import { useDesignPreview } from "./use-design-preview.js";
import { type Designed, useEditedOptions } from "./use-edited-options.js";
import { useMoves } from "./use-moves.js";
import { useSelection } from "./use-selection.js";

export type DesignerState = ReturnType<typeof useDesigner>;

export function useDesigner(designed: Designed) {
  const words = useChapter("designer");
  const edited = useEditedOptions(designed);
  const { options, stored } = edited;
  const preview = useDesignPreview(options, edited.own, edited.tried !== undefined, designed.previewOf);
  const selection = useSelection(preview.items);
  const announcements = useAnnouncements(options);
  const { say } = announcements;

  function change(changed: JsonObject, what?: string) {
    const after = edited.change(changed, what);
    if (after.template !== stored.template && after.shapes !== changed.shapes)
      say(words.pageReplaced({ name: String(after.template) }));
  }
  const arranging = useArranging({ options, change }, preview, announcements, selection);
  const moves = useMoves(edited, preview, announcements, { ...selection, ...arranging });
  return {
    ...edited,
    ...preview,
    ...selection,
    ...announcements,
    ...arranging,
    ...moves,
    isReadOnly: designed.isReadOnly,
    change,
    add(after: JsonObject, path: string) {
      change(after);
      selection.selectFresh(path);
    },
  };
}
