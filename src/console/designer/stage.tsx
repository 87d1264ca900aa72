import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { PageCanvas } from "../components/page-canvas.js";
import { useChapter } from "../i18n/words.js";
import { doByKeys } from "./item-actions.js";
import { alignShare, type Item, type Rectangle, union } from "./items.js";
import { type Guide, guidesOf, type Offset, POINTS_IN_MM, resizing, snapToGuides } from "./move-items.js";
import { TypedText } from "./typed-text.js";
import type { DesignerState } from "./use-designer.js";
import { focusChosen, useMarquee } from "./use-marquee.js";
import { SELECTED } from "./use-selection.js";

/** In points. A drag leaves at least this much of an item on the page, so that users can find the item again. */
const MIN_VISIBLE = 12;

/** Distance at which moved items snap, and distance from which a press becomes a drag. */
const SNAP_DISTANCE_PX = 6;
const MIN_DRAG_PX = 3;

const SMALL_MM = 1;
const LARGE_MM = 10;

const arrows: Readonly<Record<string, Offset>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

interface Drag {
  readonly layout: PreviewLayout;
  readonly items: readonly Item[];
  readonly moving: readonly Item[];
  readonly isResizing: boolean;
  readonly from: Offset;
  /** Points per pixel. */
  readonly scale: number;
  isMoving: boolean;
}

/** The page as it will be printed. The pointer and keys move the items. */
export function Stage({
  state,
  layout,
  pdf,
  zoom,
}: {
  readonly state: DesignerState;
  readonly layout: PreviewLayout;
  readonly pdf: Uint8Array;
  readonly zoom: number;
}) {
  const words = useChapter("designer");
  const { optionNames } = useChapter("designing");
  const { selected, isReadOnly } = state;
  const items = state.items.filter(({ isHidden }) => !isHidden);
  const page = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const [typing, setTyping] = useState<string>();
  const [guides, setGuides] = useState<readonly Guide[]>([]);
  const { frame, marquee } = useMarquee(page, layout, items, state);
  const chosen = items.filter(({ path }) => selected.includes(path));
  const stacked = [...items].sort(byArea);
  const focusable = chosen.at(-1) ?? items.find(({ isPrinted }) => isPrinted);
  const shares = ({ x, y, width, height }: Rectangle) => ({
    insetInlineStart: `${(x / layout.pageWidth) * 100}%`,
    insetBlockStart: `${(y / layout.pageHeight) * 100}%`,
    inlineSize: `${(width / layout.pageWidth) * 100}%`,
    blockSize: `${(height / layout.pageHeight) * 100}%`,
  });

  const typed = isReadOnly
    ? undefined
    : items.find(({ path, text, isLocked }) => path === typing && text && !isLocked);
  function type(item: Item) {
    if (state.unlocked([item]).length > 0) setTyping(item.path);
  }
  function endTyping(isByKey: boolean) {
    setTyping(undefined);
    if (isByKey) page.current?.querySelector<HTMLElement>(SELECTED)?.focus();
  }

  function press(event: PointerEvent<HTMLElement>, item: Item, isResizing: boolean) {
    if (event.button !== 0) return;
    const adds = event.shiftKey || event.ctrlKey || event.metaKey;
    const isChosen = selected.includes(item.path);
    const own = state.companions(item);
    const paths = isChosen ? selected : own;
    if (adds && isChosen && !isResizing) state.select(selected.filter((path) => !own.includes(path)));
    else if (!isChosen) state.pick(item, adds);
    const moving = isResizing ? [item] : items.filter(({ path }) => paths.includes(path));
    const free = moving.filter(({ isLocked }) => !isLocked);
    if (isReadOnly || adds || free.length === 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      layout,
      items,
      moving: free,
      isResizing,
      from: { x: event.clientX, y: event.clientY },
      scale: layout.pageWidth / (page.current?.clientWidth || layout.pageWidth),
      isMoving: false,
    };
  }

  function move(event: PointerEvent) {
    const grabbed = drag.current;
    if (!grabbed) return;
    const [across, down] = [event.clientX - grabbed.from.x, event.clientY - grabbed.from.y];
    if (!grabbed.isMoving && Math.hypot(across, down) < MIN_DRAG_PX) return;
    grabbed.isMoving = true;
    const far = { x: across * grabbed.scale, y: down * grabbed.scale };
    if (grabbed.isResizing) {
      const [item] = grabbed.moving;
      if (item) state.tryResize(item, far, grabbed.layout);
      return;
    }
    const others = grabbed.items.filter((item) => !grabbed.moving.includes(item));
    const lines = event.altKey ? [] : guidesOf(grabbed.layout, others);
    const outline = union(grabbed.moving.map(({ box }) => box));
    const offset = {
      x: within(
        far.x,
        MIN_VISIBLE - outline.x - outline.width,
        grabbed.layout.pageWidth - MIN_VISIBLE - outline.x,
      ),
      y: within(
        far.y,
        MIN_VISIBLE - outline.y - outline.height,
        grabbed.layout.pageHeight - MIN_VISIBLE - outline.y,
      ),
    };
    const box = union(grabbed.moving.map(snapBox));
    const [only] = grabbed.moving.length === 1 ? grabbed.moving : [];
    const result = snapToGuides(box, only?.anchor ?? box, offset, lines, SNAP_DISTANCE_PX * grabbed.scale);
    setGuides(result.guides);
    state.tryMove(
      new Map(grabbed.moving.map((item) => [item, result.offset])),
      grabbed.layout,
      grabbed.items,
    );
  }

  function drop(isMeant: boolean) {
    const grabbed = drag.current;
    drag.current = undefined;
    setGuides([]);
    if (grabbed?.isMoving) state.endTrying(isMeant);
  }

  function steer(event: KeyboardEvent<HTMLElement>, item: Item) {
    const { key, shiftKey, altKey } = event;
    const arrow = arrows[key];
    const focused = selected.includes(item.path) ? chosen : [item];
    const step = (shiftKey ? LARGE_MM : SMALL_MM) * POINTS_IN_MM;
    const to = targetOf(key, item, items);
    if (to) {
      page.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(to.path)}"]`)?.focus();
      state.pick(to, shiftKey); // after focus(), because focusing an item selects only that item
    } else if (key === "Escape") {
      if (drag.current) drop(false);
      else state.select([]);
    } else if (key === "Enter") state.openProperties();
    else if (key === "F2") type(item);
    else if (doByKeys(event, state, focused)) focusChosen(page.current);
    else if (isReadOnly) return;
    else if (arrow && altKey) state.resize(item, { x: arrow.x * step, y: arrow.y * step });
    else if (arrow)
      state.move(new Map(focused.map((each) => [each, { x: arrow.x * step, y: arrow.y * step }])));
    else if (key === "Delete" || key === "Backspace") state.remove(focused);
    else return;
    event.preventDefault();
  }

  return (
    <div className="stage-around" {...marquee}>
      <div className="stage-page" dir="ltr" ref={page} tabIndex={-1} style={pageSizeAt(layout, zoom)}>
        <PageCanvas pdf={pdf} label={optionNames.page ?? ""} zoom={zoom} onDrawn={state.setDrawn} />
        <p id="designer-keys" hidden>
          {words.keys}
        </p>
        {[...items].sort(byPath).map((item) => {
          const isChosen = selected.includes(item.path);
          return (
            <button
              key={item.path}
              ref={state.focusFresh}
              type="button"
              className="stage-item"
              data-path={item.path}
              data-kind={item.kind}
              data-ground={item.isGround}
              data-printed={item.isPrinted}
              aria-pressed={isChosen}
              data-locked={item.isLocked}
              aria-label={state.labelOf(item)}
              aria-describedby="designer-keys"
              tabIndex={item === focusable ? 0 : -1}
              style={{ ...shares(item.box), zIndex: isChosen ? items.length : stacked.indexOf(item) }}
              onPointerDown={(event) => press(event, item, false)}
              onPointerMove={move}
              onPointerUp={() => drop(true)}
              onPointerCancel={() => drop(false)}
              onDoubleClick={() => {
                state.select([item.path]); // selects only this item, even if it is in a group
                if (item.text) type(item);
              }}
              onContextMenu={(event) => {
                event.preventDefault();
                if (!isChosen) state.pick(item);
                if (!isReadOnly) state.openMenu({ x: event.clientX, y: event.clientY });
              }}
              onFocus={(event) => {
                if (event.currentTarget.matches(":focus-visible") && !isChosen) state.pick(item);
              }}
              onKeyDown={(event) => steer(event, item)}
            />
          );
        })}
        {chosen.length === 1 &&
          !isReadOnly &&
          chosen.map((item) => {
            const room = roomOf(item);
            const kind = item.isLocked ? undefined : resizing(item, state.options);
            return (
              <div key={item.path} className="stage-room" style={shares(room)} aria-hidden="true">
                {kind && (
                  <span
                    className="stage-handle"
                    data-resizes={kind}
                    data-side={item.text?.align === "right" ? "start" : "end"}
                    onPointerDown={(event) => press(event, item, true)}
                    onPointerMove={move}
                    onPointerUp={() => drop(true)}
                    onPointerCancel={() => drop(false)}
                  />
                )}
              </div>
            );
          })}
        {typed && (
          <TypedText
            key={typed.path}
            state={state}
            item={typed}
            room={roomOf(typed)}
            layout={layout}
            onEnd={endTyping}
          />
        )}
        {frame && <span className="stage-marquee" style={shares(frame)} />}
        {guides.map(({ axis, at }) => (
          <span
            key={axis}
            className="stage-guide"
            data-axis={axis}
            style={
              axis === "x"
                ? { insetInlineStart: `${(at / layout.pageWidth) * 100}%` }
                : { insetBlockStart: `${(at / layout.pageHeight) * 100}%` }
            }
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the size of the page. At a zoom of 1, the whole page fits the stage. */
function pageSizeAt({ pageWidth, pageHeight }: PreviewLayout, zoom: number) {
  const ratio = pageWidth / pageHeight;
  const width = `calc(${zoom} * min(100cqi, 100cqb * ${ratio}))`;
  return {
    "--page": width,
    inlineSize: width,
    aspectRatio: `${pageWidth} / ${pageHeight}`,
  };
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/**
 * Sorts items in an order that doesn't change during a drag, because an element that moves in the DOM loses the
 * pointer. Shapes come last, so screen readers read the texts first.
 */
function byPath(one: Item, other: Item): number {
  const [isShape, isOtherShape] = [one.kind === "shape", other.kind === "shape"];
  if (isShape !== isOtherShape) return isShape ? 1 : -1;
  return one.path < other.path ? -1 : 1;
}

/** Sorts large items first. Small items are then above large ones, where they can be selected. */
function byArea(one: Item, other: Item): number {
  return other.box.width * other.box.height - one.box.width * one.box.height;
}

/** Returns the area that a text may fill, whatever the sample's name and title. */
function roomOf({ box, anchor, text }: Item): Rectangle {
  if (!text?.room) return box;
  return { ...box, x: anchor.x - text.room * alignShare(text.align), width: text.room };
}

/**
 * Returns the area that snaps to guides. If an item is a text that isn't centred, this is a vertical line through its
 * anchor, because the width of the text depends on the learner's name.
 */
function snapBox({ box, anchor, text }: Item): Rectangle {
  if (!text) return box;
  return alignShare(text.align) === 0.5 ? box : { ...box, x: anchor.x, width: 0 };
}

/** Returns the item that a key moves the focus to. */
function targetOf(key: string, item: Item, items: readonly Item[]): Item | undefined {
  const at = items.indexOf(item);
  switch (key) {
    case "PageDown":
      return items[(at + 1) % items.length];
    case "PageUp":
      return items.at(at - 1);
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
  }
  return undefined;
}
