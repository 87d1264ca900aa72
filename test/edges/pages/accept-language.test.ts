import { expect, test } from "vitest";
import { readAcceptLanguage } from "#edges/pages/accept-language.js";

test.each<[string, string[]]>([
  ["", []],
  ["de", ["de"]],
  ["de-AT, de;q=0.9, en;q=0.5", ["de-AT", "de", "en"]],
  ["en;q=0.5,fr;q=0.9 , uk", ["uk", "fr", "en"]],
  ["es,fr", ["es", "fr"]],
  ["fr;q=0.8,es;q=0.8", ["fr", "es"]],
  ["de;q=0, fr;q=0.000, en;q=0.001", ["en"]],
  ["*", []],
  ["*;q=0.1, ar", ["ar"]],
  ["de ; Q=0.3, fr;q=1.000", ["fr", "de"]],
  ["de;q=2, fr;q=x, en;q=0.1234, es;level=1, uk", ["uk"]],
  [",,;q=1, <script>", []],
  [`${"x,".repeat(8000)}fr`, [...Array(8000).fill("x"), "fr"]],
])("Accept-Language: %.40s", (header, tags) => {
  expect(readAcceptLanguage(header)).toEqual(tags);
});
