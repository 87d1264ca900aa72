import { expect, test } from "vitest";
import { isWithoutName } from "#console/designer/add-item.js";

test.each([
  [false, {}],
  [false, { name: { size: 30 } }],
  [false, { name: { text: "To {name}" } }],
  [false, { name: false, text_1: { text: "To {name}" } }],
  [false, { name: { hidden: true }, text_1: { text: "To {name}" } }],
  [true, { name: false }],
  [true, { name: { hidden: true } }],
  [true, { name: { text: "Certificate" } }],
  [true, { name: false, text_1: { text: "To {name}", hidden: true } }],
  [true, { name: false, text_1: false }],
])("it is %s that the name isn't printed with the texts %j", (isMissing, text_elements) => {
  expect(isWithoutName({ text_elements })).toBe(isMissing);
});
