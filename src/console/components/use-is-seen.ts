import { type RefObject, useEffect, useState } from "react";

/**
 * Returns whether an element is or was in view.
 * @param margin distance from the window, as in CSS, at which an element is already in view
 */
export function useIsSeen(place: RefObject<Element | null>, margin = "0px"): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: margin },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [place, margin]);
  return isSeen;
}
