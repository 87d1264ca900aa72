import { type FocusEvent, useEffect, useRef } from "react";

/**
 * Keeps the focus in the designer when the focused element is removed, for example because its item is deleted. The
 * focus moves to the list of layers if the element was in it, and otherwise to the page that is being designed.
 * @returns properties of the designer's element
 */
export function useKeptFocus() {
  const last = useRef<{ readonly element: Element; readonly designer: Element; readonly isLayer: boolean }>(
    undefined,
  );
  useEffect(() => {
    if (!last.current || last.current.element.isConnected) return;
    const { designer, isLayer } = last.current;
    last.current = undefined;
    if (document.activeElement !== document.body) return;
    designer
      .querySelector<HTMLElement>(isLayer ? ".designer-items button" : ".stage-page")
      ?.focus({ preventScroll: true });
  });
  return {
    onFocus({ target, currentTarget }: FocusEvent) {
      // Menus and dialogs are elsewhere on the page, and return the focus themselves.
      if (!currentTarget.contains(target)) return;
      const isLayer = target.closest(".designer-items") !== null;
      last.current = { element: target, designer: currentTarget, isLayer };
    },
  };
}
