import { useState } from "react";
import { MAX_TEXT_ELEMENT } from "#foundation/limits.js";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useChapter } from "../i18n/words.js";
import { textTemplateOf } from "./add-item.js";
import type { Item, Rectangle } from "./items.js";
import type { DesignerState } from "./use-designer.js";

function selectOnce(field: HTMLTextAreaElement | null) {
  if (document.activeElement !== field) field?.select();
}

/**
 * Edits a text on the page. Enter applies the text, Shift+Enter starts a new line, and Escape restores the previous
 * text.
 */
export function TypedText({
  state,
  item,
  room,
  layout,
  onEnd,
}: {
  readonly state: DesignerState;
  readonly item: Item;
  readonly room: Rectangle;
  readonly layout: PreviewLayout;
  /** @param isByKey whether a key ended the editing; the focus must then be moved */
  readonly onEnd: (isByKey: boolean) => void;
}) {
  const words = useChapter("designer");
  const template = textTemplateOf(item.path, state.options);
  const [typed, setTyped] = useState(template);
  const share = (length: number, total: number) => `${(length / total) * 100}%`;
  const { pageWidth, pageHeight } = layout;

  function end(isMeant: boolean, isByKey = true) {
    if (isMeant && typed !== template) state.set(`${item.path}.text`, typed);
    onEnd(isByKey);
  }
  return (
    <textarea
      ref={selectOnce}
      className="stage-typing"
      dir="auto"
      aria-label={words.typeHere({ item: state.nameOf(item) })}
      maxLength={MAX_TEXT_ELEMENT}
      rows={typed.split("\n").length}
      value={typed}
      style={{
        insetInlineStart: share(room.x, pageWidth),
        insetBlockStart: share(room.y, pageHeight),
        inlineSize: share(Math.max(room.width, 120), pageWidth),
        minBlockSize: share(room.height, pageHeight),
        fontSize: `max(0.8rem, calc(${(item.text?.size ?? 12) / pageWidth} * var(--page)))`,
        textAlign: item.text?.align === "center" ? "center" : "start",
      }}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={() => end(true, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") end(false);
        else if (event.key === "Enter" && !event.shiftKey) end(true);
        else return;
        event.preventDefault();
      }}
    />
  );
}
