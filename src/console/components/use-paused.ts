import { useEffect, useState } from "react";

/** Longer than most people pause between two keys. This way, requests contain whole words. */
const PAUSE_MS = 220;

/**
 * Returns a value once it has stopped changing.
 * @param pauseMs how long it must stay unchanged, in milliseconds
 */
export function usePaused<V>(value: V, pauseMs = PAUSE_MS): V {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return paused;
}
