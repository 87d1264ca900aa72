import { type KeyboardEvent, useState } from "react";
import { flushSync } from "react-dom";
import { textFor } from "#foundation/languages/message.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { valueAt } from "../options/change-options.js";
import { isJsonObject } from "../options/read-options.js";
import { hiddenTexts } from "./add-item.js";
import { doByKeys } from "./item-actions.js";
import type { Item } from "./items.js";
import type { DesignerState } from "./use-designer.js";

/** From this number on, the shapes become one layer. The ornament of a design has about twenty. */
const MIN_ORNAMENT_SHAPES = 3;

/** Lists the items in reading order, shapes last. Arrow keys move in the list; Enter moves the focus to the page. */
export function ItemList({ state }: { readonly state: DesignerState }) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { items, selected } = state;
  return (
    <ul className="designer-items" aria-label={words.items}>
      <li>
        <button
          type="button"
          aria-pressed={selected.length === 0}
          onClick={({ detail }) => {
            flushSync(() => state.select([]));
            // The button was pressed by keyboard.
            if (detail === 0) state.openProperties();
          }}
        >
          {optionNames.page}
        </button>
      </li>
      {foldersOf(items).map((folder) => {
        const { key, members } = folder;
        if (!folder.isFolded) return <Rows key={key} state={state} items={members} />;
        const name = folder.isOrnament
          ? (optionNames.shapes ?? "")
          : words.groupOf({ items: state.namesOf(members) });
        return <FoldedRows key={key} state={state} name={name} id={key} members={members} />;
      })}
      <HiddenTexts state={state} />
    </ul>
  );
}

/** Consecutive layers, either as separate rows or as one row that can be expanded. */
interface Folder {
  readonly key: string;
  readonly members: readonly Item[];
  readonly isFolded: boolean;
  readonly isOrnament: boolean;
}

/** Groups the layers into rows. A group is where its first member is. Three or more shapes form one row. */
function foldersOf(items: readonly Item[]): readonly Folder[] {
  const shapes = items.filter(({ kind, group }) => kind === "shape" && group === undefined);
  const isOrnament = shapes.length >= MIN_ORNAMENT_SHAPES;
  const keyOf = (item: Item) => item.group ?? (isOrnament && shapes.includes(item) ? "shapes" : "");
  const folders: { key: string; members: Item[]; isFolded: boolean; isOrnament: boolean }[] = [];
  for (const item of items) {
    const folder = keyOf(item);
    const key = folder || item.path;
    const there = folder ? folders.find((each) => each.key === key) : folders.at(-1);
    if (there && there.isFolded === (folder !== "")) there.members.push(item);
    else folders.push({ key, members: [item], isFolded: folder !== "", isOrnament: folder === "shapes" });
  }
  return folders;
}

/** A row of several layers, which are selected together. */
function FoldedRows({
  state,
  name,
  id,
  members,
}: {
  readonly state: DesignerState;
  readonly name: string;
  readonly id: string;
  readonly members: readonly Item[];
}) {
  const words = useChapter("designer");
  const { colon } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const chosen = members.filter(({ path }) => state.selected.includes(path));
  const isAll = chosen.length === members.length;
  const isUnfolded = isOpen || (chosen.length > 0 && !isAll);
  return (
    <>
      <li className="designer-layer">
        <button
          type="button"
          data-item={id}
          aria-pressed={isAll}
          title={name}
          onClick={() => state.select(members.map(({ path }) => path))}
        >
          <bdi>{name}</bdi> <span>({members.length})</span>
        </button>
        <Toggles state={state} items={members} name={name} />
        <button
          type="button"
          className="designer-unfold"
          aria-expanded={isUnfolded}
          aria-label={`${words.more}${colon}${name}`}
          onClick={() => setOpen(!isUnfolded)}
        />
      </li>
      {isUnfolded && <Rows state={state} items={members} isInside />}
    </>
  );
}

function Rows({
  state,
  items,
  isInside = false,
}: {
  readonly state: DesignerState;
  readonly items: readonly Item[];
  /** Whether these layers are shown below the expanded row to which they belong. */
  readonly isInside?: boolean;
}) {
  const words = useChapter("designer");
  const { selected } = state;
  const current = items.find(({ path }) => path === selected.at(-1)) ?? items[0];

  function steer(event: KeyboardEvent<HTMLElement>, item: Item) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const list = event.currentTarget.closest("ul");
    if (by) {
      const rows = [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
      const next = rows.at((rows.findIndex((row) => row.dataset.item === item.path) + by) % rows.length);
      if (!next?.dataset.item) return;
      state.select([next.dataset.item]);
      next.focus();
    } else if (event.key === "Delete" && !state.isReadOnly) state.remove(chosenOr(item));
    else if (!doByKeys(event, state, chosenOr(item))) return;
    event.preventDefault();
  }
  const chosenOr = (item: Item) =>
    selected.includes(item.path) ? state.items.filter(({ path }) => selected.includes(path)) : [item];

  return items.map((item) => (
    <li key={item.path} className="designer-layer" data-inside={isInside}>
      <button
        type="button"
        data-item={item.path}
        data-row
        aria-pressed={selected.includes(item.path)}
        data-printed={item.isPrinted && !item.isHidden}
        tabIndex={item === current ? 0 : -1}
        aria-label={state.labelOf(item)}
        title={state.nameOf(item)}
        onClick={(event) => {
          const adds = event.shiftKey || event.ctrlKey || event.metaKey;
          const others = selected.filter((path) => path !== item.path);
          state.select(adds ? [...others, item.path] : [item.path]);
          if (event.detail === 0) focusOnPage(item);
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          if (!selected.includes(item.path)) state.select([item.path]);
          if (!state.isReadOnly) state.openMenu({ x: event.clientX, y: event.clientY });
        }}
        onKeyDown={(event) => steer(event, item)}
      >
        <bdi>{state.nameOf(item)}</bdi>
        {state.isInheriting && state.isOwn(item.path) && <span className="small"> · {words.own}</span>}
      </button>
      <Toggles state={state} items={[item]} name={state.nameOf(item)} />
    </li>
  ));
}

/** Buttons that hide or lock a layer. The Tab key skips them, because the menu offers the same actions. */
function Toggles({
  state,
  items,
  name,
}: {
  readonly state: DesignerState;
  readonly items: readonly Item[];
  readonly name: string;
}) {
  const { acts } = useChapter("designer");
  const { colon } = useFormats();
  if (state.isReadOnly) return null;
  const isHidden = items.every((item) => item.isHidden);
  const isLocked = items.every((item) => item.isLocked);
  const toggles = [
    {
      label: isHidden ? acts.show : acts.hide,
      isOn: isHidden,
      drawing: isHidden ? EYE_CLOSED : EYE,
      act: () => state.setHidden(items, !isHidden),
    },
    {
      label: isLocked ? acts.unlock : acts.lock,
      isOn: isLocked,
      drawing: isLocked ? LOCK : LOCK_OPEN,
      act: () => state.setLocked(items, !isLocked),
    },
  ];
  return toggles.map(({ label, isOn, drawing, act }) => (
    <button
      key={drawing}
      type="button"
      className="designer-toggle"
      data-on={isOn}
      tabIndex={-1}
      aria-label={`${label}${colon}${name}`}
      title={label}
      onClick={act}
    >
      <svg
        className="icon"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.750"
        aria-hidden="true"
      >
        <path d={drawing} />
      </svg>
    </button>
  ));
}

const EYE = "M2 12c4-7 16-7 20 0c-4 7-16 7-20 0zM9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0";
const EYE_CLOSED = "M2 12c4-7 16-7 20 0c-4 7-16 7-20 0zM4 3l16 18";
const LOCK = "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3";
const LOCK_OPEN = "M5 11h14v9H5zM8 11V7a4 4 0 0 1 7.600-1.700";

/** Lists default texts that were removed, each with a button to restore it. */
function HiddenTexts({ state }: { readonly state: DesignerState }) {
  const words = useChapter("designer");
  if (state.isReadOnly) return null;
  return hiddenTexts(state.options).map((path) => (
    <li key={path}>
      <button
        type="button"
        onClick={() => {
          const typical = valueAt(state.inherited, path);
          state.set(path, isJsonObject(typical) ? typical : state.isInheriting ? {} : undefined);
        }}
      >
        {words.showAgain({ item: textFor(words.texts, path.slice(path.indexOf(".") + 1)) ?? path })}
      </button>
    </li>
  ));
}

/** Moves the focus to the item on the page. There, arrow keys move the item. */
function focusOnPage({ path }: Item) {
  document.querySelector<HTMLElement>(`.stage-item[data-path="${CSS.escape(path)}"]`)?.focus();
}
