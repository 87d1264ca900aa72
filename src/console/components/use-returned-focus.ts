import { useEffect, useState } from "react";

const FOCUSABLE = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary";

/**
 * When a dialog closes, React Aria returns the focus to the element that opened the dialog. This hook scrolls that
 * element into view. If the element has been removed, or is removed before the focus moves on, the hook focuses the
 * first control in the nearest ancestor that remains.
 */
export function useReturnedFocus(): void {
  const [elements] = useState(() => withAncestors(document.activeElement));
  useEffect(() => () => afterReturn(() => keepFocus(elements)), [elements]);
}

function keepFocus([opener, ...around]: readonly Element[]): void {
  if (!opener) return;
  if (document.activeElement === opener) opener.scrollIntoView({ block: "nearest" });
  const end = new AbortController();
  const observer = new MutationObserver(moveIfRemoved);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", ({ target }) => target === opener || end.abort(), {
    signal: end.signal,
  });
  end.signal.addEventListener("abort", () => observer.disconnect());
  moveIfRemoved();

  function moveIfRemoved(): void {
    if (opener?.isConnected || document.activeElement !== document.body) return;
    end.abort();
    const left = around.find(({ isConnected }) => isConnected);
    left?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
  }
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
