import type { KeyboardEvent } from "react";
import type { Chapters } from "../i18n/load-chapter.js";
import type { Item } from "./items.js";
import type { DesignerState } from "./use-designer.js";

type ActName = keyof Chapters["designer"]["acts"];

/** An action on the selected items. */
export interface ItemAction {
  readonly name: ActName;
  /** The keys to press together with Ctrl or the command key. */
  readonly keys?: { readonly key: string; readonly shift?: boolean };
  /** undefined if it would change nothing */
  readonly act: (() => void) | undefined;
}

/** Returns all actions on items, by section of the menu. */
export function actionsOf(state: DesignerState, chosen: readonly Item[]): readonly (readonly ItemAction[])[] {
  const free = chosen.filter(({ isLocked }) => !isLocked);
  const [isChosen, isFree] = [chosen.length > 0, free.length > 0];
  const when = (isPossible: boolean, act: () => void) => (isPossible ? act : undefined);
  const isLocked = isChosen && !isFree;
  const isHidden = isChosen && chosen.every((item) => item.isHidden);
  const [first] = chosen;
  const isGroup = first?.group !== undefined && chosen.every(({ group }) => group === first.group);
  const canCopy = state.canCopy(chosen);
  /** Writes to the system's clipboard, for other windows; this window keeps its own copy. */
  const share = (text: string | undefined) => {
    if (text !== undefined) navigator.clipboard?.writeText(text).catch(() => undefined);
  };
  const order = (
    name: "front" | "forward" | "backward" | "back",
    key?: string,
    shift?: boolean,
  ): ItemAction => ({
    name,
    ...(key && { keys: { key, ...(shift && { shift }) } }),
    act: when(state.canOrder(chosen, name), () => state.order(chosen, name)),
  });
  return [
    [
      { name: "cut", keys: { key: "X" }, act: when(isFree && canCopy, () => share(state.cut(chosen))) },
      { name: "copy", keys: { key: "C" }, act: when(canCopy, () => share(state.copy(chosen))) },
      { name: "paste", keys: { key: "V" }, act: when(state.canPaste(), () => state.paste()) },
      { name: "duplicate", keys: { key: "D" }, act: when(canCopy, () => state.duplicate(chosen)) },
    ],
    [
      isGroup
        ? { name: "ungroup", keys: { key: "G", shift: true }, act: () => state.ungroup(chosen) }
        : { name: "group", keys: { key: "G" }, act: when(chosen.length > 1, () => state.group(chosen)) },
      {
        name: isLocked ? "unlock" : "lock",
        keys: { key: "L", shift: true },
        act: when(isChosen, () => state.setLocked(chosen, !isLocked)),
      },
      {
        name: isHidden ? "show" : "hide",
        keys: { key: "H", shift: true },
        act: when(isFree, () => state.setHidden(chosen, !isHidden)),
      },
    ],
    [order("front", "]", true), order("forward", "]"), order("backward", "["), order("back", "[", true)],
    [
      { name: "selectAll", keys: { key: "A" }, act: () => state.selectAll() },
      { name: "remove", act: when(isFree, () => state.remove(chosen)) },
    ],
  ];
}

/** Actions whose keys the browser reports by clipboard events. */
const OF_CLIPBOARD: readonly string[] = ["cut", "copy", "paste"] satisfies readonly ActName[];

/** Carries out the action of a key combination. @returns whether the combination belongs to an action */
export function doByKeys(event: KeyboardEvent, state: DesignerState, chosen: readonly Item[]): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  // With Shift, the key of a bracket produces another character, so brackets are recognised by the key's position.
  const bracket = { BracketLeft: "[", BracketRight: "]" }[event.code];
  const pressed = bracket ?? event.key.toUpperCase();
  const action = actionsOf(state, chosen)
    .flat()
    .find(
      ({ name, keys }) =>
        keys?.key === pressed && (keys.shift ?? false) === event.shiftKey && !OF_CLIPBOARD.includes(name),
    );
  if (!action || (state.isReadOnly && action.name !== "selectAll")) return false;
  action.act?.();
  return true;
}
