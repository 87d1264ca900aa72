import { useEffect, useState } from "react";
import { PendingEnter, type TypedSearch } from "./pending-enter.js";

/**
 * Returns a function to call when Enter is pressed. Chooses the active result, or waits for the results if they haven't
 * arrived.
 */
export function useEnter<R>(search: TypedSearch<R>, choose: (result: R) => void): () => void {
  const [pending] = useState(() => new PendingEnter());
  useEffect(() => {
    const result = pending.update(search);
    if (result !== undefined) choose(result);
  });
  return () => {
    const result = pending.press(search);
    if (result !== undefined) choose(result);
  };
}
