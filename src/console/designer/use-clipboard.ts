import { useEffect, useEffectEvent } from "react";
import type { Item } from "./items.js";
import type { DesignerState } from "./use-designer.js";

/** Copies, cuts and pastes elements with the browser's shortcuts. Does nothing while a text is being edited. */
export function useClipboard(state: DesignerState, chosen: readonly Item[]) {
  const handleClipboard = useEffectEvent((event: ClipboardEvent) => {
    if (isEdited(event.target) || !event.clipboardData) return;
    if (event.type === "paste") {
      if (!state.isReadOnly && state.paste(event.clipboardData.getData("text/plain"))) event.preventDefault();
      return;
    }
    if (!getSelection()?.isCollapsed || (event.type === "cut" && state.isReadOnly)) return;
    const text = event.type === "cut" ? state.cut(chosen) : state.copy(chosen);
    if (text === undefined) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  });
  useEffect(() => {
    const types = ["copy", "cut", "paste"] as const;
    const listen = (event: ClipboardEvent) => handleClipboard(event);
    for (const type of types) document.addEventListener(type, listen);
    return () => {
      for (const type of types) document.removeEventListener(type, listen);
    };
  }, []);
}

function isEdited(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, textarea, select, [role=dialog] *");
}
