import type { KeyboardEvent } from "react";
import { letterOf } from "../components/letter-of.js";
import type { Chapters } from "../i18n/load-chapter.js";
import type { Item } from "./items.js";
import type { DesignerState } from "./use-designer.js";

type ActName = keyof Chapters["designer"]["acts"];

/** A key that is pressed together with Ctrl or the command key. */
interface Keys {
  readonly key: string;
  readonly shift?: boolean;
}

export const actionKeys: Readonly<Partial<Record<ActName, Keys>>> = {
  cut: { key: "X" },
  copy: { key: "C" },
  paste: { key: "V" },
  duplicate: { key: "D" },
  group: { key: "G" },
  ungroup: { key: "G", shift: true },
  lock: { key: "L", shift: true },
  unlock: { key: "L", shift: true },
  hide: { key: "H", shift: true },
  show: { key: "H", shift: true },
  front: { key: "]", shift: true },
  forward: { key: "]" },
  backward: { key: "[" },
  back: { key: "[", shift: true },
  selectAll: { key: "A" },
};

/** Returns the label of a key combination on this computer. */
export function keysInWords({ key, shift = false }: Keys): string {
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return `${isApple ? "⌘" : "Ctrl+"}${shift ? (isApple ? "⇧" : "Shift+") : ""}${key}`;
}

export interface ItemAction {
  readonly name: ActName;
  /** undefined if the action would change nothing. */
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
  /** Copies to the system's clipboard, for other windows. This window keeps a copy of its own. */
  const share = (text: string | undefined) => {
    if (text !== undefined) navigator.clipboard?.writeText(text).catch(() => undefined);
  };
  const order = (name: "front" | "forward" | "backward" | "back"): ItemAction => ({
    name,
    act: when(state.canOrder(chosen, name), () => state.order(chosen, name)),
  });
  return [
    [
      { name: "cut", act: when(isFree && canCopy, () => share(state.cut(chosen))) },
      { name: "copy", act: when(canCopy, () => share(state.copy(chosen))) },
      { name: "paste", act: when(state.canPaste(), () => state.paste()) },
      { name: "duplicate", act: when(canCopy, () => state.duplicate(chosen)) },
    ],
    [
      isGroup
        ? { name: "ungroup", act: () => state.ungroup(chosen) }
        : { name: "group", act: when(chosen.length > 1, () => state.group(chosen)) },
      {
        name: isLocked ? "unlock" : "lock",
        act: when(isChosen, () => state.setLocked(chosen, !isLocked)),
      },
      { name: isHidden ? "show" : "hide", act: when(isFree, () => state.setHidden(chosen, !isHidden)) },
    ],
    [order("front"), order("forward"), order("backward"), order("back")],
    [
      { name: "selectAll", act: () => state.selectAll() },
      { name: "remove", act: when(isFree, () => state.remove(chosen)) },
    ],
  ];
}

/** The browser handles the keys of these actions, and reports them as clipboard events. */
const CLIPBOARD_ACTIONS: readonly string[] = ["cut", "copy", "paste"] satisfies readonly ActName[];

/**
 * Runs the action of a key combination.
 * @returns whether the combination belongs to an action
 */
export function doByKeys(event: KeyboardEvent, state: DesignerState, chosen: readonly Item[]): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  // With Shift, a bracket key produces another character, so it is recognised by its position on the keyboard.
  const bracket = { BracketLeft: "[", BracketRight: "]" }[event.code];
  const pressed = bracket ?? letterOf(event);
  // Some actions have no key. Ctrl alone must not run one of them.
  if (pressed === undefined) return false;
  const action = actionsOf(state, chosen)
    .flat()
    .find(({ name }) => {
      const { key, shift = false } = actionKeys[name] ?? {};
      return key === pressed && shift === event.shiftKey && !CLIPBOARD_ACTIONS.includes(name);
    });
  if (!action || (state.isReadOnly && action.name !== "selectAll")) return false;
  action.act?.();
  return true;
}
