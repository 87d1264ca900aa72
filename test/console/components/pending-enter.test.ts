import { describe, expect, test } from "vitest";
import { PendingEnter } from "#console/components/pending-enter.js";

const loading = (text: string) => ({ text, isCurrent: false, active: "before" });
const loaded = (text: string, active?: string) => ({ text, isCurrent: true, active });
const closed = { text: undefined, isCurrent: false, active: undefined };

describe("Enter", () => {
  test("chooses the active result at once, and only then", () => {
    const pending = new PendingEnter();
    expect(pending.press(loaded("ana", "Ana"))).toBe("Ana");
    expect(pending.update(loaded("ana", "Ana"))).toBeUndefined();
  });

  test("before the results arrive chooses the first of them, once", () => {
    const pending = new PendingEnter();
    expect(pending.press(loading("ana"))).toBeUndefined();
    expect(pending.update(loading("ana"))).toBeUndefined();
    expect(pending.update(loaded("ana", "Ana"))).toBe("Ana");
    expect(pending.update(loaded("ana", "Ana"))).toBeUndefined();
  });

  test.each([
    ["the user types on", [loading("ana k"), loaded("ana k", "Ana Kovač")]],
    ["the user types on and back", [loading("ana k"), loading("ana"), loaded("ana", "Ana")]],
    ["the user closes the list and opens it again", [closed, loaded("", "Adam")]],
    ["nothing was found", [loaded("ana"), loaded("ana", "Ana")]],
  ])("chooses nothing later if %s", (_, updates) => {
    const pending = new PendingEnter();
    pending.press(loading("ana"));
    expect(updates.map((update) => pending.update(update)).filter(Boolean)).toEqual([]);
  });

  test("after a search without results chooses nothing when something is found later", () => {
    const pending = new PendingEnter();
    expect(pending.press(loaded("ana"))).toBeUndefined();
    expect(pending.update(loaded("ana", "Ana"))).toBeUndefined();
  });

  test("without a text waits for nothing", () => {
    const pending = new PendingEnter();
    expect(pending.press(loading(" "))).toBeUndefined();
    expect(pending.update(loaded(" ", "Ana"))).toBeUndefined();
  });
});
