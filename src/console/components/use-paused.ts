import { useEffect, useState } from "react";

/** Longer than most people take between two keys, so that a word is requested once, and not for each letter. */
const PAUSE_MS = 220;

/**
 * Returns a value that follows another one after that has not changed for a while. @param pauseMs the time in
 * milliseconds
 */
export function usePaused<V>(value: V, pauseMs = PAUSE_MS): V {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return paused;
}
