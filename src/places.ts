/** A bound on how many are at something at once. */
export interface Places {
  /** Takes a place; false when none is free. */
  take(): boolean;
  giveBack(): void;
}

export function createPlaces(count: number): Places {
  let free = count;
  return {
    take() {
      if (free === 0) return false;
      free--;
      return true;
    },
    giveBack() {
      free++;
    },
  };
}
