import { useEffect, useState } from "react";

/** Elements that can have the focus. */
const FOCUSABLE = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary";

/**
 * When a dialog closes, React Aria returns the focus to the element that opened it. If that element was removed
 * meanwhile, this moves the focus to the nearest one that is left. If it is out of sight, this scrolls to it.
 */
export function useReturnedFocus(): void {
  const [elements] = useState(() => withAncestors(document.activeElement));
  useEffect(
    () => () => {
      afterReturn(() => {
        const [opener, ...around] = elements;
        if (opener?.isConnected) {
          if (document.activeElement === opener) opener.scrollIntoView({ block: "nearest" });
        } else if (document.activeElement === document.body) {
          const left = around.find(({ isConnected }) => isConnected);
          left?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
        }
      });
    },
    [elements],
  );
}

/** Returns the element and its ancestors within the page's main part, from inside to outside. */
function withAncestors(element: Element | null): readonly Element[] {
  if (!element?.closest("main")) return [];
  const { parentElement } = element;
  return [element, ...withAncestors(parentElement)];
}

/** React Aria returns the focus in the next frame. */
function afterReturn(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}
