/** Items in no particular order. */
interface Slots<Item> extends Iterable<Item> {
  readonly size: number;
  /** @returns the item's slot */
  add(item: Item): number;
  /** Removes an item if it is still in the slot. */
  remove(item: Item, slot: number): void;
}

/**
 * Creates slots for items that are added and removed thousands of times a second.
 *
 * A Set or Map would soon fill the memory: V8 often replaces its internal table, and each old table refers to the new
 * one. Once an old table is in the old generation, all later tables and their former contents are kept until the next
 * full garbage collection.
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
