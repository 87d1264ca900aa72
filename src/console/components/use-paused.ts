import { useEffect, useState } from "react";

/** Longer than most people take between two keys, so that a word is requested once, and not at each of its letters. */
const PAUSE_MS = 220;

/** A value that follows another one when that one rests. */
export function usePaused<V>(value: V): V {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
