import { type RefObject, useEffect, useRef, useState } from "react";
import { SELECTED } from "./use-selection.js";

/** At 1, the whole page is visible. */
const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3, 4, 6];
/** Maximum share of the visible area that an item fills after zooming to it. */
const MAX_FILLED_SHARE = 0.8;

export type Zoom = ReturnType<typeof useZoom>;

/**
 * Holds the zoom of the page. When the zoom changes, the selected items stay in the middle of the visible area. If
 * nothing is selected, the point in the middle stays there.
 */
export function useZoom(stage: RefObject<HTMLDivElement | null>) {
  const [zoom, setZoom] = useState(1);
  /** The point that stays in the middle when the zoom changes, as shares of the page's width and height. */
  const middle = useRef({ x: 0.5, y: 0.5 });

  // biome-ignore lint/correctness/useExhaustiveDependencies: only after a change of the zoom
  useEffect(() => {
    const place = stage.current;
    if (!place) return;
    place.scrollTo({
      left: middle.current.x * place.scrollWidth - place.clientWidth / 2,
      top: middle.current.y * place.scrollHeight - place.clientHeight / 2,
    });
  }, [zoom]);

  function setTo(next: number) {
    const place = stage.current;
    const page = place?.querySelector(".stage-page")?.getBoundingClientRect();
    if (!place || !page) return;
    const seen = boxAround(place.querySelectorAll(SELECTED)) ?? place.getBoundingClientRect();
    middle.current = {
      x: (seen.left + seen.width / 2 - page.left) / page.width,
      y: (seen.top + seen.height / 2 - page.top) / page.height,
    };
    setZoom(next);
  }
  const step = (to: number | undefined) => (to === undefined ? undefined : () => setTo(to));
  return {
    zoom,
    smaller: step(ZOOMS.findLast((each) => each < zoom)),
    larger: step(ZOOMS.find((each) => each > zoom)),
    fit: () => setTo(1),
    toSelection() {
      const place = stage.current;
      const box = place && boxAround(place.querySelectorAll(SELECTED));
      if (!box) return;
      const share = Math.max(box.width / place.clientWidth, box.height / place.clientHeight);
      const most = (zoom * MAX_FILLED_SHARE) / share;
      setTo(ZOOMS.findLast((each) => each <= most) ?? 1);
    },
  };
}

function boxAround(elements: Iterable<Element>): DOMRect | undefined {
  const boxes = [...elements].map((each) => each.getBoundingClientRect());
  if (boxes.length === 0) return undefined;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const right = Math.max(...boxes.map((box) => box.right));
  return new DOMRect(left, top, right - left, Math.max(...boxes.map((box) => box.bottom)) - top);
}
