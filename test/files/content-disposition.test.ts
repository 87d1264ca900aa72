import fc from "fast-check";
import { expect, test } from "vitest";
import { contentDisposition } from "#infrastructure/files/content-disposition.js";

test.each([
  ["plain", "Ada.pdf", "Ada.pdf", "Ada.pdf"],
  ["spaces", "Ada Lovelace.pdf", "Ada Lovelace.pdf", "Ada%20Lovelace.pdf"],
  ["another script", "Софія.pdf", "_____.pdf", "%D0%A1%D0%BE%D1%84%D1%96%D1%8F.pdf"],
  ["quotes and percent", `a"b'c%41.pdf`, "a_b'c_41.pdf", "a%22b%27c%2541.pdf"],
  ["separators", "../../etc/passwd\\x", ".._.._etc_passwd_x", ".._.._etc_passwd_x"],
  ["line ends", "a\r\nset-cookie: b", "aset-cookie: b", "aset-cookie%3A%20b"],
  ["reversed text", "a\u202efdp.exe", "afdp.exe", "afdp.exe"],
  ["half a character", "a\ud800b", "a_b", "a%EF%BF%BDb"],
  ["nothing", " \u0000 ", "download", "download"],
])("%s", (_name, name, plain, encoded) => {
  expect(contentDisposition(name)).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${encoded}`);
});

test("any text gives a well-formed header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      expect(contentDisposition(name)).toMatch(
        /^attachment; filename="[ !#-$&-[\]-~]+"; filename\*=UTF-8''([\w!#$&+.^`|~-]|%[\dA-F]{2})+$/,
      );
    }),
  );
});
