import { describe, expect, it } from "vitest";
import { letterOf } from "#console/components/letter-of.js";

describe("the letter of a key, for shortcuts", () => {
  it.each<[string, string, string, string | undefined]>([
    ["on a Latin layout", "s", "KeyS", "S"],
    ["with Shift or Caps Lock", "L", "KeyL", "L"],
    ["where the layout moves the letter, as on a French keyboard", "z", "KeyW", "Z"],
    ["on a Ukrainian layout", "і", "KeyS", "S"],
    ["on a Ukrainian layout, with Shift", "Я", "KeyZ", "Z"],
    ["on an Arabic layout", "ن", "KeyK", "K"],
    ["on an Arabic layout, with a key of two characters", "لا", "KeyB", "B"],
    ["on an Arabic layout, with Shift and a key of punctuation", "~", "KeyZ", "Z"],
    ["not of a bracket", "[", "BracketLeft", undefined],
    ["not of a Ukrainian letter on a key without a Latin one", "х", "BracketLeft", undefined],
    ["not of a digit", "1", "Digit1", undefined],
    ["not of a named key", "Enter", "Enter", undefined],
  ])("%s", (_, key, code, letter) => {
    expect(letterOf({ key, code })).toBe(letter);
  });
});
