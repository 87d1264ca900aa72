import { type PointerEvent, type RefObject, useRef, useState } from "react";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { Item, Rectangle } from "./items.js";

import { SELECTED, type Selection } from "./use-selection.js";

/** A press that moves this far draws a frame. */
const MIN_DRAG_PX = 3;

interface Drawn {
  readonly from: { readonly x: number; readonly y: number };
  /** Items that were selected before and stay selected. */
  readonly before: readonly string[];
}

/** Selects the items that are completely inside a frame, which the user draws with the pointer. */
export function useMarquee(
  page: RefObject<HTMLDivElement | null>,
  layout: PreviewLayout,
  items: readonly Item[],
  { selected, select, companions }: Pick<Selection, "selected" | "select" | "companions">,
) {
  const drawn = useRef<Drawn>(undefined);
  const [frame, setFrame] = useState<Rectangle>();
  const pointOf = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = page.current?.getBoundingClientRect() ?? new DOMRect();
    return {
      x: ((clientX - left) / width) * layout.pageWidth,
      y: ((clientY - top) / height) * layout.pageHeight,
    };
  };
  return {
    frame,
    marquee: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const isItem =
          (event.target as Element).closest(".stage-item, .stage-handle, .stage-typing") !== null;
        if (event.button !== 0 || isItem) return;
        const adds = event.shiftKey || event.ctrlKey || event.metaKey;
        drawn.current = { from: pointOf(event), before: adds ? selected : [] };
        if (!adds) select([]);
        if (event.pointerType === "mouse") event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (!drawn.current || event.pointerType !== "mouse") return;
        const { from, before } = drawn.current;
        const to = pointOf(event);
        const next = {
          x: Math.min(from.x, to.x),
          y: Math.min(from.y, to.y),
          width: Math.abs(to.x - from.x),
          height: Math.abs(to.y - from.y),
        };
        const least = (MIN_DRAG_PX * layout.pageWidth) / (page.current?.clientWidth || layout.pageWidth);
        if (!frame && Math.max(next.width, next.height) < least) return;
        setFrame(next);
        const inside = items.filter((item) => !item.isHidden && !item.isLocked && isWithin(item.box, next));
        select([...new Set([...before, ...inside.flatMap(companions)])]);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };

  function end() {
    if (drawn.current && frame) focusChosen(page.current);
    drawn.current = undefined;
    setFrame(undefined);
  }
}

/** Moves the focus to the selected items, unless one of them has it. */
export function focusChosen(page: HTMLElement | null) {
  requestAnimationFrame(() => {
    const chosen = [...(page?.querySelectorAll<HTMLElement>(SELECTED) ?? [])];
    if (!chosen.some((each) => each === document.activeElement))
      chosen.at(-1)?.focus({ preventScroll: true });
  });
}

function isWithin(box: Rectangle, { x, y, width, height }: Rectangle): boolean {
  return box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height;
}
