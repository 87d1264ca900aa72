import { describe, expect, test } from "vitest";
import { isPlainAddress, parseMailbox } from "#infrastructure/email/mailbox.js";
import { notPlain } from "./not-plain.js";

describe("one plain mailbox", () => {
  test.each(notPlain)("%j is not", (text) => {
    expect(isPlainAddress(text)).toBe(false);
  });

  test.each(["v@uni.edu", "v.e+ra_1@mail.uni.edu", "o'neil@uni.edu", "v@localhost", "віра@приклад.укр"])(
    "%j is",
    (text) => {
      expect(isPlainAddress(text)).toBe(true);
    },
  );
});

describe("the sender", () => {
  test.each([
    ["no-reply@example.org", { address: "no-reply@example.org" }],
    ["  no-reply@example.org ", { address: "no-reply@example.org" }],
    ["Academy <no-reply@example.org>", { address: "no-reply@example.org", name: "Academy" }],
    ['"Academy, Inc." <no-reply@example.org>', { address: "no-reply@example.org", name: "Academy, Inc." }],
    ["Академія <no-reply@приклад.укр>", { address: "no-reply@приклад.укр", name: "Академія" }],
  ])("%j is read", (text, mailbox) => {
    expect(parseMailbox(text)).toEqual(mailbox);
  });

  test.each([
    "",
    "no-reply",
    "a@x.y, b@x.y",
    "Academy <a@x.y>, Academy <b@x.y>",
    "Academy <a@x.y> b@x.y",
    "Academy <a@x.y",
    "Academy\r\nBcc: b@x.y <a@x.y>",
    "Academy\u202e <a@x.y>",
    "a@x.y\r\nBcc: b@x.y",
    "a@[127.0.0.1]",
    "a@x y",
    "a@x..y",
    "a@x/y",
  ])("%j is refused", (text) => {
    expect(() => parseMailbox(text)).toThrow(/must be one email address/);
  });
});
