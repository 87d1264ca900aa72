/** What is in progress, in no order. */
export interface Slots<Item> extends Iterable<Item> {
  readonly size: number;
  /** @returns its slot */
  add(item: Item): number;
  /** Removes an item, unless it was removed before. */
  remove(item: Item, slot: number): void;
}

/**
 * Creates slots for what begins and ends thousands of times a second.
 *
 * A Set or Map would soon fill the memory. V8 often gives it a new table, and the old one leads to the new one. Once
 * one of them is old, all later ones are kept until the next full collection, with all that was ever in them.
 */
export function createSlots<Item>(): Slots<Item> {
  const slots: (Item | undefined)[] = [];
  const free: number[] = [];
  return {
    get size() {
      return slots.length - free.length;
    },
    add(item) {
      const slot = free.pop() ?? slots.length;
      slots[slot] = item;
      return slot;
    },
    remove(item, slot) {
      if (slots[slot] !== item) return;
      slots[slot] = undefined;
      free.push(slot);
    },
    *[Symbol.iterator]() {
      for (const item of slots) if (item !== undefined) yield item;
    },
  };
}
