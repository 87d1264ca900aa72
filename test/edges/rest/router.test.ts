import { describe, expect, test } from "vitest";
import { createRouter } from "../../../src/edges/rest/router.js";
import { parseTemplate } from "../../../src/edges/rest/template.js";

const routerOf = (...texts: string[]) =>
  createRouter(
    texts.map((text) => ({ text, template: parseTemplate(text) })),
    ({ text }) => text,
  );

describe("the router", () => {
  const router = routerOf(
    "/v1/metadata/{uuid}",
    "/v1/configured/{key}",
    "/v1/{any}/fixed",
    "/v1/things/{id}",
    "/v1/things/special",
    "/v1/things/{id}:cancel",
    "/v1/things:list",
    "/v1/files/{path=**}",
    "/v1/files/own/*",
  );

  test.each([
    ["/v1/metadata/1", "/v1/metadata/{uuid}", ["v1", "metadata", "1"]],
    [
      "/v1/configured/course-v1:Org+Course+Run",
      "/v1/configured/{key}",
      ["v1", "configured", "course-v1:Org+Course+Run"],
    ],
    [
      "/v1/configured/course-v1:Org+Course+a:b",
      "/v1/configured/{key}",
      ["v1", "configured", "course-v1:Org+Course+a:b"],
    ],
    // Split first, decoded after: an escaped slash does not part segments.
    ["/v1/configured/a%2Fb", "/v1/configured/{key}", ["v1", "configured", "a%2Fb"]],
    ["/v1/%6Detadata/1", "/v1/metadata/{uuid}", ["v1", "%6Detadata", "1"]],
    ["/v1/metadata%/fixed", "/v1/{any}/fixed", ["v1", "metadata%", "fixed"]],
    // A literal goes before a variable, but does not stand in its way.
    ["/v1/metadata/fixed", "/v1/metadata/{uuid}", ["v1", "metadata", "fixed"]],
    ["/v1/things/special", "/v1/things/special", ["v1", "things", "special"]],
    ["/v1/other/fixed", "/v1/{any}/fixed", ["v1", "other", "fixed"]],
    ["/v1/things/__proto__", "/v1/things/{id}", ["v1", "things", "__proto__"]],
    ["/v1/things/1:cancel", "/v1/things/{id}:cancel", ["v1", "things", "1"]],
    ["/v1/things/a:b:cancel", "/v1/things/{id}:cancel", ["v1", "things", "a:b"]],
    ["/v1/things/1:other", "/v1/things/{id}", ["v1", "things", "1:other"]],
    ["/v1/things/1:list", "/v1/things/{id}", ["v1", "things", "1:list"]],
    ["/v1/things/:cancel", "/v1/things/{id}", ["v1", "things", ":cancel"]],
    ["/v1/things:list", "/v1/things:list", ["v1", "things"]],
    ["/v1/files", "/v1/files/{path=**}", ["v1", "files"]],
    ["/v1/files/a/b/c", "/v1/files/{path=**}", ["v1", "files", "a", "b", "c"]],
    ["/v1/files/own/a", "/v1/files/own/*", ["v1", "files", "own", "a"]],
    ["/v1/files/own/a/b", "/v1/files/{path=**}", ["v1", "files", "own", "a", "b"]],
  ])("%s -> %s", (path, text, segments) => {
    const match = router.match(path);
    expect(match?.route.text).toBe(text);
    expect(match?.segments).toEqual(segments);
  });

  test.each([
    "",
    "/",
    "/v1",
    "/v2/metadata/1",
    "/V1/metadata/1",
    "/v1/metadata",
    "/v1/metadata/",
    "/v1/metadata/1/",
    "/v1/metadata/1/2",
    "//v1/metadata/1",
    "/v1//metadata/1",
    "/v1/metadata%2F1",
    "/v1/files/a//b",
    "/v1/files//own/a",
    "/v1/things:other",
  ])("%j matches nothing", (path) => {
    expect(router.match(path)).toBeUndefined();
  });

  test.each([
    ["/a/{x}", "/a/{y}"],
    ["/a/{x}", "/a/*"],
    ["/{x=a/*}", "/a/{y}"],
    ["/a/**", "/a/{x=**}"],
    ["/a/{x}:v", "/a/*:v"],
    ["/a", "/a"],
  ])("%s and %s do not go together", (one, other) => {
    expect(() => routerOf(one, other)).toThrow(`${other}: its path matches the same paths as that of ${one}`);
  });
});
