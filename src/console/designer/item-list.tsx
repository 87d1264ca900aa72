import { type KeyboardEvent, useState } from "react";
import { flushSync } from "react-dom";
import { textFor } from "#foundation/languages/message.js";
import { useChapter } from "../i18n/chapter.js";
import { valueAt } from "../options/merged-options.js";
import { isObject } from "../options/read-options.js";
import { hiddenTexts } from "./add-item.js";
import type { Item } from "./items.js";
import type { DesignerState } from "./use-designer.js";

/** Number of shapes from which they are grouped into one layer: a design's ornament has about twenty. */
const ORNAMENT = 3;

/** The items on the page, from top to bottom. Arrow keys move between them, Enter moves the focus to the page. */
export function ItemList({ state }: { readonly state: DesignerState }) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { items, selected } = state;
  const shapes = items.filter(({ kind }) => kind === "shape");
  const isOrnament = shapes.length >= ORNAMENT;
  const [isOpen, setOpen] = useState(false);
  const chosen = shapes.filter(({ path }) => selected.includes(path));
  const isAll = chosen.length === shapes.length;
  const isUnfolded = isOpen || (chosen.length > 0 && !isAll);
  const others = items.filter(({ kind }) => kind !== "shape");
  return (
    <ul className="designer-items" aria-label={words.items}>
      <li>
        <button
          type="button"
          aria-pressed={selected.length === 0}
          onClick={({ detail }) => {
            flushSync(() => state.select([]));
            if (detail === 0) state.openProperties(); // by keyboard: there is no element to focus for the page itself
          }}
        >
          {optionNames.page}
        </button>
      </li>
      <Rows state={state} items={isOrnament ? others : items} />
      {isOrnament && (
        <li className="designer-group">
          <button
            type="button"
            data-item="shapes"
            aria-pressed={isAll}
            onClick={() => state.select(shapes.map(({ path }) => path))}
          >
            {optionNames.shapes} ({shapes.length})
          </button>
          <button
            type="button"
            aria-expanded={isUnfolded}
            aria-label={`${words.more}: ${optionNames.shapes}`}
            onClick={() => setOpen(!isUnfolded)}
          />
        </li>
      )}
      {isOrnament && isUnfolded && <Rows state={state} items={shapes} />}
      <HiddenTexts state={state} />
    </ul>
  );
}

function Rows({ state, items }: { readonly state: DesignerState; readonly items: readonly Item[] }) {
  const words = useChapter("designer");
  const { selected } = state;
  const current = items.find(({ path }) => path === selected.at(-1)) ?? items[0];

  function steer(event: KeyboardEvent<HTMLElement>, item: Item) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = by && items.at((items.indexOf(item) + by) % items.length);
    if (!next) return;
    event.preventDefault();
    state.select([next.path]);
    const list = event.currentTarget.closest("ul");
    list?.querySelector<HTMLElement>(`[data-item="${CSS.escape(next.path)}"]`)?.focus();
  }

  return items.map((item) => (
    <li key={item.path}>
      <button
        type="button"
        data-item={item.path}
        aria-pressed={selected.includes(item.path)}
        data-printed={item.isPrinted}
        tabIndex={item === current ? 0 : -1}
        onClick={(event) => {
          const adds = event.shiftKey || event.ctrlKey || event.metaKey;
          const others = selected.filter((path) => path !== item.path);
          state.select(adds ? [...others, item.path] : [item.path]);
          if (event.detail === 0) focusOnPage(item);
        }}
        onKeyDown={(event) => steer(event, item)}
      >
        <bdi>{state.nameOf(item)}</bdi>
        {state.isInheriting && state.isOwn(item.path) && <span className="small"> · {words.own}</span>}
      </button>
    </li>
  ));
}

/** Default texts that were removed, each with a button to restore it. */
function HiddenTexts({ state }: { readonly state: DesignerState }) {
  const words = useChapter("designer");
  if (state.isReadOnly) return null;
  return hiddenTexts(state.options).map((path) => (
    <li key={path}>
      <button
        type="button"
        onClick={() => {
          const typical = valueAt(state.inherited, path);
          state.set(path, isObject(typical) ? typical : state.isInheriting ? {} : undefined);
        }}
      >
        {words.showAgain({ item: textFor(words.texts, path.slice(path.indexOf(".") + 1)) ?? path })}
      </button>
    </li>
  ));
}

/** Moves the focus from the list to the item on the page, where arrow keys move it. */
function focusOnPage({ path }: Item) {
  document.querySelector<HTMLElement>(`.stage-item[data-path="${CSS.escape(path)}"]`)?.focus();
}
