import { expect, test } from "vitest";
import { inColourOf, ownBrand } from "#console/types/own-brand.js";

const service = { organisation: "", accentColor: "#112233" };
const nord = { organisation: "Nord", accentColor: "#225533" };
const sued = { organisation: "Sued", accentColor: "#552233" };
const colourless = { organisation: "West", accentColor: "" };
const everywhere = { isBounded: false, organisations: [] };
const inNord = { isBounded: true, organisations: ["Nord"] };

test.each([
  { of: "no branding", brands: [], caller: everywhere, expected: undefined },
  { of: "the service", brands: [service, nord], caller: everywhere, expected: service },
  { of: "the caller's organisation", brands: [service, nord, sued], caller: inNord, expected: nord },
  { of: "the service, if the organisation has none", brands: [service], caller: inNord, expected: service },
  { of: "the only organisation", brands: [nord, colourless], caller: everywhere, expected: nord },
  { of: "none of several organisations", brands: [nord, sued], caller: everywhere, expected: undefined },
])("designs are shown in the colour of $of", ({ brands, caller, expected }) => {
  expect(ownBrand(brands, caller)).toEqual(expected);
});

test("the colour of an organisation becomes an option, except on dark paper", () => {
  const light = { paper: "#fffdf8", accent_color: "#1f3a5f" };
  const dark = { paper: "#101d35", accent_color: "#d8b25f" };
  expect(inColourOf(undefined, light)).toEqual(light);
  expect(inColourOf(service, light)).toEqual({ paper: "#fffdf8" });
  expect(inColourOf(nord, light)).toEqual({ paper: "#fffdf8", accent_color: "#225533" });
  expect(inColourOf(nord, dark)).toEqual(dark);
});
