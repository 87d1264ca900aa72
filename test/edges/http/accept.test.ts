import { expect, test } from "vitest";
import { acceptedWeight, HTML_PATTERN, JSON_PATTERN } from "#edges/http/accept.js";

test.each<[string | undefined, html: number, json: number]>([
  [undefined, 0, 0],
  ["", 0, 0],
  ["*/*", 0, 0],
  ["text/*, application/*;q=0.9", 0, 0],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 1, 0],
  ["text/html;q=0.5, application/json", 0.5, 1],
  ["Text/HTML ; Level=1 ;\tQ=0.25 , application/vc+ld+json;q=0.125", 0.25, 0.125],
  ["application/json;q=0.2, application/ld+json;q=0.7", 0, 0.7],
  ["text/html;q=0, application/json;q=0.000", 0, 0],
  ["text/html;q=2, application/json;q=x", 0, 0],
  ["text/htmlx, xtext/html, application/jsonp", 0, 0],
  [`${"x,".repeat(8000)}text/html`, 1, 0],
])("Accept: %.60s", (header, html, json) => {
  expect([acceptedWeight(header, HTML_PATTERN), acceptedWeight(header, JSON_PATTERN)]).toEqual([html, json]);
});
