import { useEffect, useState } from "react";

/** Longer than most people take between two keys, so that a word is requested once, and not at each of its letters. */
const PAUSE_MS = 220;

/** A value that follows another one when that one rests. @param pauseMs for how long */
export function usePaused<V>(value: V, pauseMs = PAUSE_MS): V {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return paused;
}
