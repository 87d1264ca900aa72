import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { createBind } from "#edges/rest/bind.js";
import { parseTemplate } from "#edges/rest/template.js";
import { GetEligibilityRequestSchema } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { compileProtos } from "./compile-proto.js";

const proto = compileProtos({
  bind: `
    enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; COLOR_DARK_BLUE = 2; }
    message Scalars {
      string text = 1; bool flag = 2; int32 small = 3; uint32 positive = 4; int64 large = 5; uint64 huge = 6;
      double ratio = 7; Color color = 8; optional int32 maybe = 9; int64 written = 10 [jstype = JS_STRING];
    }
    message Bytes { bytes data = 1; }
    message Listed { repeated string names = 1; }
    message Nested { google.protobuf.Timestamp at = 1; }
    message Mapped { map<string, string> labels = 1; }
    message Chosen { oneof choice { string a = 1; string b = 2; } }`,
})("bind");

/** Binds a URL with a single template. */
function bind(input: DescMessage, template: string, url: string) {
  const [path = "", query = ""] = url.split("?");
  return createBind(input, parseTemplate(template).variables)(path.slice(1).split("/"), query);
}

const eligibility = (url: string) => bind(GetEligibilityRequestSchema, "/e/{learning_context_key}", url);
const scalars = (query: string) => bind(proto.message("Scalars"), "/e", `/e?${query}`);
const valuesOf = (message: Message | undefined) => message as unknown as Record<string, unknown>;

describe("the path", () => {
  test.each([
    ["/e/course-v1:Org+Course+Run", "course-v1:Org+Course+Run"],
    ["/e/course-v1%3AOrg%2BCourse%2bRun", "course-v1:Org+Course+Run"],
    ["/e/a%2Fb", "a/b"],
    ["/e/%C3%9Cn%C3%AF", "Ünï"],
    ["/e/%F0%9F%8E%93", "🎓"],
    ["/e/a%20b", "a b"],
    ["/e/%2525", "%25"],
    // Invalid percent-encoding is taken literally.
    ["/e/100%", "100%"],
    ["/e/%zz", "%zz"],
    ["/e/%41%ff", "%41%ff"],
    ["/e/%C0%80", "%C0%80"],
    ["/e/%ED%A0%80", "%ED%A0%80"],
  ])("%s -> %s", (url, expected) => {
    const { request, problem } = eligibility(url);
    expect(problem).toBeUndefined();
    expect(valuesOf(request).learningContextKey).toBe(expected);
  });

  test.each([
    ["/{text=x/*}", "/x/a%2Bb", "x/a+b"],
    ["/{text=**}", "/x/a%2fb%20c/y", "x/a%2fb c/y"],
    ["/y/{text=**}", "/y", ""],
    ["/{text}/{small}", "/a/5", "a"],
  ])("%s takes from %s: %j", (template, url, expected) => {
    const { request, problem } = bind(proto.message("Scalars"), template, url);
    expect(problem).toBeUndefined();
    expect(valuesOf(request).text).toBe(expected);
  });

  test("a value of the wrong type is reported, and the other values are still bound", () => {
    const { request, problem } = bind(proto.message("Scalars"), "/{small}", "/five?text=x");
    expect(problem?.message).toBe('small: "five" is not an integer from -2147483648 to 2147483647.');
    expect(valuesOf(request).text).toBe("x");
  });
});

describe("the query", () => {
  const bound = (learningContextKey: string, username: string, retrievalFunc: string) =>
    create(GetEligibilityRequestSchema, { learningContextKey, username, retrievalFunc });

  test.each([
    ["/e/k", bound("k", "", "")],
    ["/e/k?", bound("k", "", "")],
    ["/e/k?username=ada", bound("k", "ada", "")],
    ["/e/k?username=ada&retrieval_func=a.b", bound("k", "ada", "a.b")],
    ["/e/k?&&username=ada&", bound("k", "ada", "")],
    ["/e/k?user%6eame=ada", bound("k", "ada", "")],
    ["/e/k?username=a%2Bb", bound("k", "a+b", "")],
    ["/e/k?username=a+b", bound("k", "a b", "")],
    ["/e/k?username=a=b", bound("k", "a=b", "")],
    ["/e/k?username=%C3%85sa", bound("k", "Åsa", "")],
    ["/e/k?username=a%26retrieval_func%3Db", bound("k", "a&retrieval_func=b", "")],
    // An empty value is treated as absent.
    ["/e/k?username=", bound("k", "", "")],
    ["/e/k?username", bound("k", "", "")],
    ["/e/k?username=&username=ada", bound("k", "ada", "")],
    // Unknown parameters are ignored, as are parameters that the path has bound.
    ["/e/k?userName=ada&retrievalFunc=b&__proto__=c&constructor=d", bound("k", "", "")],
    ["/e/k?x=%zz&x=1&x=2&%zz=1&=1&=", bound("k", "", "")],
    ["/e/k?learning_context_key=other", bound("k", "", "")],
  ])("%s", (url, expected) => {
    expect(eligibility(url)).toEqual({ request: expected, problem: undefined });
  });

  test.each([
    ["/e/k?username=a&username=b", "username: give it once, not several times.", "a"],
    ["/e/k?username=a&username=a", "username: give it once, not several times.", "a"],
    [
      "/e/k?retrieval_func=a&retrieval_func=b&username=c",
      "retrieval_func: give it once, not several times.",
      "c",
    ],
    ["/e/k?username=%zz", 'username: "%zz" is not valid percent-encoding.', "%zz"],
    ["/e/k?username=%ff", 'username: "%ff" is not valid percent-encoding.', "%ff"],
    [
      "/e/k?retrieval_func=%&username=a&username=b",
      'retrieval_func: "%" is not valid percent-encoding.',
      "a",
    ],
  ])("%s is reported as a problem", (url, message, username) => {
    const { request, problem } = eligibility(url);
    expect(problem).toMatchObject({ kind: "invalid", message });
    expect(valuesOf(request).username).toBe(username);
  });

  test.each([
    ["flag=true", "flag", true],
    ["flag=false", "flag", false],
    ["small=-2147483648", "small", -2147483648],
    ["small=007", "small", 7],
    ["positive=4294967295", "positive", 4294967295],
    ["large=-9223372036854775808", "large", -9223372036854775808n],
    ["huge=18446744073709551615", "huge", 18446744073709551615n],
    ["written=12", "written", "12"],
    ["ratio=-0.5e-1", "ratio", -0.05],
    ["color=dark_blue", "color", 2],
    ["maybe=0", "maybe", 0],
  ])("%s is read by its type", (query, field, expected) => {
    const { request, problem } = scalars(query);
    expect(problem).toBeUndefined();
    expect(valuesOf(request)[field]).toBe(expected);
  });

  test.each([
    ["flag=1", 'flag: "1" is not true or false.'],
    ["flag=True", 'flag: "True" is not true or false.'],
    ["small=2147483648", 'small: "2147483648" is not an integer from -2147483648 to 2147483647.'],
    ["small=1.0", 'small: "1.0" is not an integer from -2147483648 to 2147483647.'],
    ["small=0x1", 'small: "0x1" is not an integer from -2147483648 to 2147483647.'],
    ["small=%201", 'small: " 1" is not an integer from -2147483648 to 2147483647.'],
    ["small=-", 'small: "-" is not an integer from -2147483648 to 2147483647.'],
    ["positive=-1", 'positive: "-1" is not an integer from 0 to 4294967295.'],
    ["large=9223372036854775808", 'large: "9223372036854775808" is not an integer from'],
    [
      "huge=18446744073709551616",
      'huge: "18446744073709551616" is not an integer from 0 to 18446744073709551615.',
    ],
    ["ratio=NaN", 'ratio: "NaN" is not a number.'],
    ["ratio=1e999", 'ratio: "1e999" is not a number.'],
    ["ratio=.5", 'ratio: ".5" is not a number.'],
    ["color=RED", 'color: "RED" is not one of unspecified, red, dark_blue.'],
    ["color=1", 'color: "1" is not one of unspecified, red, dark_blue.'],
  ])("%s is refused by its type", (query, message) => {
    expect(scalars(query).problem?.message).toContain(message);
  });
});

describe("a request type that no URL can express is refused when its binding is compiled", () => {
  test.each([
    ["Scalars", "/{nothing}", 'variable "nothing": bind.Scalars has no such field'],
    ["Scalars", "/{text}/{text}", 'variable "text": it is bound twice'],
    ["Nested", "/{at.seconds}", 'variable "at.seconds": only fields of the request itself can be bound'],
    ["Listed", "/{names}", 'field "names" is not scalar: it can\'t be read from a URL'],
    ["Nested", "/{at}", 'field "at" is not scalar: it can\'t be read from a URL'],
    ["Nested", "/x", 'field "at" is not scalar: it can\'t be read from a URL'],
    ["Mapped", "/x", 'field "labels" is not scalar: it can\'t be read from a URL'],
    ["Bytes", "/x", 'field "data" is of type bytes: it can\'t be read from a URL'],
    ["Chosen", "/{a}", 'field "a" is part of a oneof: it can\'t be read from a URL'],
  ])("%s with template %s", (message, template, expected) => {
    expect(() => createBind(proto.message(message), parseTemplate(template).variables)).toThrow(expected);
  });
});
