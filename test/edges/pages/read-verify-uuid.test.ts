import fc from "fast-check";
import { expect, test } from "vitest";
import { shortCodeOf } from "#domain/credentials/short-code.js";
import { readVerifyAddress, readVerifyUuid } from "#edges/pages/read-verify-uuid.js";

const OURS = "https://Credentials.test/certs";
const UUID = "f58a4a10-67c4-42c7-9081-22078fceac85";
const DIGITS = UUID.replaceAll("-", "");
/** The 128 bits in Crockford's Base32, according to its table. */
const CODE = BigInt(`0x${DIGITS}`)
  .toString(32)
  .replace(/[a-v]/g, (digit) => "abcdefghjkmnpqrstvwxyz".charAt(Number.parseInt(digit, 32) - 10))
  .padStart(26, "0");

test.each([
  UUID,
  UUID.toUpperCase(),
  DIGITS,
  `  ${UUID}\n`,
  `{${UUID}}`,
  `{ ${DIGITS} }`,
  `urn:uuid:${UUID}`,
  `URN:UUID:${UUID.toUpperCase()}`,
  UUID.replaceAll("-", " "),
  UUID.replaceAll("-", "\u2013"),
  UUID.replaceAll("-", "\u2011"),
  UUID.replaceAll("-", " - "),
  `f58a4a10-67c4-42c7-\n9081-22078fceac85`,
  `\u2066${UUID}\u2069`,
  `\ufeff${DIGITS}`,
  DIGITS.replace(/(.{4})/g, "$1 "),
  `https://credentials.test/certs/verify/${UUID}/`,
  `https://credentials.test/certs/verify/${UUID}`,
  `http://credentials.test/certs/verify/${UUID}/`,
  `HTTPS://CREDENTIALS.TEST/CERTS/VERIFY/${UUID.toUpperCase()}/`,
  `credentials.test/certs/verify/${UUID}/`,
  `https://credentials.test/certs/verify/${UUID}/?lang=de#top`,
  `https://credentials.test/certs/verify/${UUID}?lang=de`,
  `https://credentials.test/certs/verify/f58a4a10-67c4-\n42c7-9081-22078fceac85/`,
  `Credential ID ${UUID}`,
  `Kennung: ${UUID}`,
  `Verify at https://credentials.test/certs/verify/${UUID}/`,
  `Überprüfen unter https://credentials.test/certs/verify/${UUID}/.`,
  `${UUID}.`,
  `(${UUID})`.slice(1),
  `Identifiant ${UUID.toUpperCase()} `,
  CODE,
  CODE.toUpperCase(),
  CODE.replace(/^7/, "7-").replace("0", "o").replace("1", "l"),
  `https://credentials.test/certs/v/${CODE}`,
  `credentials.test/certs/v/${CODE}/?lang=de`,
  `Verify at credentials.test/certs/v/${CODE}`,
  `للتحقق: credentials.test/certs/v/${CODE}`,
])("%j is read as the credential's UUID", (text) => {
  expect(readVerifyUuid(text, OURS)).toBe(UUID);
  expect(readVerifyAddress(text, OURS)).toBe(UUID);
});

const PAGE = `https://credentials.test/certs/verify/${UUID}/`;
const TENANT = "84df9e7fe9f640afb435aaaaaaaaaaaa";
const OTHER = "0d2b5680-53b4-4e0e-8c0c-3b8dd57ed6b1";

test.each([
  // as linked by programs
  ...[".", ")", ">", ",", '"', "”", "’", "&utm_source=x", "%22", "%E2%80%9D", "*", "_", "]", ".html"].map(
    (after) => `${UUID}${after}`,
  ),
  // as copied by people
  `<${PAGE}>`,
  `“${PAGE}”`,
  `„${UUID}“`,
  `[Certificate](${PAGE})`,
  `My certificate is at ${PAGE}, issued in 2024.`,
  `URL:${PAGE}`,
  `Zertifikats-ID: ${UUID}`,
  `Credential ID (UUID) = ${UUID};`,
  `N° ${UUID}`,
  `https://credentials.test/certs/api/learning_credentials/v1/metadata/${UUID}/`,
  `https://new-domain.test/verify/${UUID}/`,
  `${UUID}, ${UUID}`,
  `Our key is ${OTHER}, see ${PAGE}`,
  // as wrapped by programs
  encodeURIComponent(PAGE),
  `https://eur03.safelinks.protection.outlook.com/?url=${encodeURIComponent(PAGE)}&data=05%7C02%7Ca%40b.test%7C${TENANT}%7C${TENANT.replace(/a/g, "b")}%7C0%7C0%7C638%7CUnknown%7CTWFpbGZsb3d8&sdata=x%2By%3D&reserved=0`,
  `https://www.google.com/url?q=${encodeURIComponent(PAGE)}&sa=D&source=calendar&ust=1700000000000000&usg=AOvVaw0x`,
  `https://a.test/?u=${encodeURIComponent(`https://b.test/?u=${encodeURIComponent(PAGE)}`)}`,
  `https://eur03.safelinks.protection.outlook.com/?url=https%3A%2F%2Fcredentials.test%2Fcerts%2Fv%2F${CODE}&data=05`,
  `See credentials.test/certs/v/${CODE}.`,
  `100 % genuine: ${UUID}`,
])("%j contains the credential's UUID", (text) => {
  expect(readVerifyUuid(text, OURS)).toBe(UUID);
});

const nothing = [
  "",
  " ",
  "nonsense",
  UUID.slice(1),
  `${UUID}0`,
  UUID.replace("f", "g"),
  UUID.replace("0", "٠"),
  CODE.slice(1),
  `${CODE}0`,
  `8${CODE.slice(1)}`, // more than 128 bits
  CODE.replace(/.$/, "u"),
  `https://credentials.test/certs/verify/`,
  `${UUID}, ${OTHER}`,
  `%zz%f5%ff ${UUID.slice(1)}`,
  "\0",
  "f".repeat(100_000),
  "%25".repeat(6_000),
];

test.each(nothing)("%j contains no UUID", (text) => {
  expect(readVerifyUuid(text, OURS)).toBeUndefined();
  expect(readVerifyAddress(text, OURS)).toBeUndefined();
});

test.each([
  `{${UUID}`,
  `https://elsewhere.test/certs/verify/${UUID}/`,
  `https://credentials.test/verify/${UUID}/`,
  `https://credentials.test.evil.test/certs/verify/${UUID}/`,
  `https://evil.test/?https://credentials.test/certs/verify/${UUID}/`,
  `https://credentials.test/certs/verify/x/${UUID}/`,
  `https://elsewhere.test/certs/v/${CODE}`,
  `javascript:${UUID}`,
  `${UUID}, ${UUID}`,
  `Verify at https://elsewhere.test/certs/verify/${UUID}/`,
  `See https://elsewhere.test ${UUID}`,
])("%j is not an address of this service", (text) => {
  expect(readVerifyAddress(text, OURS)).toBeUndefined();
});

const noise = fc.constantFrom("", "", " ", "\n", "-", "\u2013", "\u200b", "\u00a0", "--");
const wrapping = fc.constantFrom(
  (text: string) => text,
  (text: string) => `{${text}}`,
  (text: string) => `urn:uuid:${text}`,
  (text: string) => `${OURS}/verify/${text}/?lang=de`,
);

test("a UUID is read with any spaces and dashes in it, in either case", () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.array(noise, { minLength: 32, maxLength: 32 }),
      wrapping,
      fc.boolean(),
      (uuid, between, wrap, isUpper) => {
        const digits = uuid.replaceAll("-", "");
        const text = wrap(between.map((each, at) => `${each}${digits[at]}`).join(""));
        expect(readVerifyUuid(isUpper ? text.toUpperCase() : text, OURS)).toBe(uuid);
      },
    ),
  );
});

test("any text contains no UUID, or one whose digits or short code are in the text, in order", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom(..."0123456789abcdefABCDEF-{} /:%٠ｆ\u2013"),
      minLength: 30,
      maxLength: 40,
    }),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF- "), minLength: 32, maxLength: 34 }),
  );
  fc.assert(
    fc.property(text, wrapping, (text, wrap) => {
      const read = readVerifyUuid(wrap(text), OURS);
      if (read === undefined) return;
      expect(read).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      const typed = text.toLowerCase();
      const code = typed
        .replace(/[^0-9a-z]/g, "")
        .replace(/[oil]/g, (letter) => (letter === "o" ? "0" : "1"));
      if (!code.includes(shortCodeOf(read)))
        expect(typed.replace(/[^0-9a-f]/g, "")).toContain(read.replaceAll("-", ""));
    }),
    { numRuns: 1000 },
  );
});
