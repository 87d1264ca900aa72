import { afterEach, expect, test, vi } from "vitest";
import { readFromTab, storeInTab } from "#console/service/tab-memory.js";

declare global {
  var sessionStorage: SmallStorage;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A storage for at most 1,000 characters. */
class SmallStorage {
  getItem(key: string): string | null {
    return Object.entries(this).find(([name]) => name === key)?.[1] ?? null;
  }
  setItem(key: string, value: string): void {
    const others = Object.entries(this).filter(([name]) => name !== key);
    if (others.reduce((sum, [, { length }]) => sum + length, value.length) > 1000) throw new Error("full");
    Object.assign(this, { [key]: value });
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

test("a value that doesn't fit removes only its own earlier value", () => {
  vi.stubGlobal("sessionStorage", new SmallStorage());
  storeInTab("ana", "draft", "unsaved work");
  storeInTab("ana", "list", "short");
  storeInTab("ana", "list", "long".repeat(300));
  expect(readFromTab("ana", "draft")).toBe("unsaved work");
  expect(readFromTab("ana", "list")).toBeUndefined();
  storeInTab("ana", "list", "short again");
  expect(readFromTab("ana", "list")).toBe("short again");
});
