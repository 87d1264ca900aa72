import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBind } from "#edges/rest/bind.js";
import { createRouter } from "#edges/rest/router.js";
import { parseTemplate } from "#edges/rest/template.js";
import { compileProtos } from "./compile-proto.js";

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
    // Paths are split before they are decoded. An escaped slash therefore separates no segments.
    ["/v1/configured/a%2Fb", "/v1/configured/{key}", ["v1", "configured", "a%2Fb"]],
    ["/v1/%6Detadata/1", "/v1/metadata/{uuid}", ["v1", "%6Detadata", "1"]],
    ["/v1/metadata%/fixed", "/v1/{any}/fixed", ["v1", "metadata%", "fixed"]],
    // A literal takes precedence over a variable, but other paths still match the variable.
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
  ])("%s and %s conflict", (one, other) => {
    expect(() => routerOf(one, other)).toThrow(`${other}: its path matches the same paths as that of ${one}`);
  });
});

describe("a URL made from the template of a route", () => {
  const input = compileProtos({
    routes: "message Names { string a = 1; string b = 2; string c = 3; string d = 4; string rest = 5; }",
  })("routes").message("Names");

  /**
   * A segment of a template: a word, a variable of one segment, or a variable that consists of a word and one more
   * segment.
   */
  type Piece = { readonly kind: "word" | "one" | "two"; readonly word: string };
  interface Made {
    readonly pieces: readonly Piece[];
    readonly hasRest: boolean;
    readonly verb: string;
  }
  const word = fc.constantFrom("v1", "x", "y.z");
  const made: fc.Arbitrary<Made> = fc.record({
    pieces: fc.array(fc.record({ kind: fc.constantFrom("word", "word", "one", "two"), word }), {
      minLength: 1,
      maxLength: 4,
    }),
    hasRest: fc.boolean(),
    verb: fc.constantFrom("", "", "", ":go", ":x"),
  });
  const value = fc.oneof(
    word,
    fc.constantFrom("a:go", "..", "%2F", "%", "+", "course-v1:Org+C+R", "__proto__", "é🎓"),
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.isWellFormed()),
  );

  const FIELDS = ["a", "b", "c", "d"];
  const templateOf = ({ pieces, hasRest, verb }: Made) =>
    `${pieces
      .map(({ kind, word }, at) => ({ word, one: `{${FIELDS[at]}}`, two: `{${FIELDS[at]}=${word}/*}` })[kind])
      .map((text) => `/${text}`)
      .join("")}${hasRest ? "/{rest=**}" : ""}${verb}`;

  /**
   * How closely a template fits a path, for each segment; smaller is closer. Undefined if the template does not fit.
   */
  function suits({ pieces, hasRest, verb }: Made, path: string): number[] | undefined {
    if (!path.endsWith(verb)) return undefined;
    const segments = path.slice(1, path.length - verb.length).split("/");
    const wanted = pieces.flatMap(({ kind, word }) =>
      kind === "word" ? [word] : kind === "one" ? [""] : [word, ""],
    );
    const isLong = segments.length > wanted.length;
    if (segments.includes("") || segments.length < wanted.length || (isLong && !hasRest)) return undefined;
    const fits = wanted.every((text, at) => text === "" || decodeURIComponent(segments[at] ?? "") === text);
    const ranks = wanted.map((text) => (text === "" ? 1 : 0));
    return fits ? [verb === "" ? 1 : 0, ...ranks, ...(hasRest ? [2] : [])] : undefined;
  }
  const compare = (one: number[], other: number[]) => {
    const at = one.findIndex((rank, index) => rank !== other[index]);
    return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
  };

  test("binds the values it was made from, unless a more specific template fits it too", () => {
    let bound = 0;
    fc.assert(
      fc.property(
        fc.array(made, { minLength: 1, maxLength: 6 }),
        fc.nat(5),
        fc.array(value, { minLength: 4, maxLength: 4 }),
        fc.array(value, { maxLength: 3 }),
        (all, chosen, values, rest) => {
          const routes = all.map((made) => ({ made, template: parseTemplate(templateOf(made)) }));
          let router: ReturnType<typeof createRouter<(typeof routes)[number]>>;
          try {
            router = createRouter(routes, ({ made }) => templateOf(made));
          } catch (error) {
            expect((error as Error).message).toContain("its path matches the same paths as that of");
            return;
          }
          const route = routes[chosen % routes.length] as (typeof routes)[number];
          const { pieces, hasRest, verb } = route.made;
          const reported = pieces.map(({ kind, word }, at) =>
            kind === "word" ? [word] : [...(kind === "two" ? [word] : []), values[at] ?? ""],
          );
          const segments = [...reported.flat(), ...(hasRest ? rest : [])].map(encodeURIComponent);
          const path = `/${segments.join("/")}${verb}`;

          const best = routes
            .flatMap((each) => {
              const rank = suits(each.made, path);
              return rank ? [{ each, rank }] : [];
            })
            .sort((one, other) => compare(one.rank, other.rank))[0]?.each;
          const match = router.match(path);
          expect(match?.route).toBe(best);
          if (!match || best !== route) return;

          bound++;
          const { request, problem } = createBind(input, route.template.variables)(match.segments, "");
          expect(problem).toBeUndefined();
          // In the value of a variable of several segments, escaped slashes stay escaped (http.proto).
          const joined = (texts: readonly string[]) =>
            texts.map((text) => text.replaceAll("/", "%2F")).join("/");
          const expected = pieces.flatMap(({ kind }, at) => {
            const texts = reported[at] ?? [];
            return kind === "word" ? [] : [[FIELDS[at], kind === "one" ? texts[0] : joined(texts)]];
          });
          expect(request).toMatchObject({
            ...Object.fromEntries(expected),
            rest: hasRest ? joined(rest) : "",
          });
        },
      ),
      { numRuns: 1000 },
    );
    expect(bound).toBeGreaterThan(300);
  });
});
