import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { checkFile, type Service } from "#edges/pages/browser/check-file.js";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { badgeInFile } from "#formats/badges/badge-in-file.js";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import { signDocument } from "#formats/badges/data-integrity.js";
import { didDocument, keyUrl } from "#formats/badges/did-document.js";
import { signJwt } from "#formats/badges/jwt.js";
import { openBadge } from "#formats/badges/open-badge.js";
import { chunk, pngOf } from "#formats/badges/png.js";
import type { SigningKey } from "#formats/badges/public-key.js";
import { newSigningKey, readSigningKey } from "#formats/badges/signing-key.js";
import { statusBits, statusListCredential } from "#formats/badges/status-list.js";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import { processorMs } from "../support/processor-time.js";
import { ed25519, ed25519KeyOf, p256 } from "./keys.js";
import { facts } from "./sample.js";

// biome-ignore lint/suspicious/noExplicitAny: a document may have any shape
type Json = any;

const { did } = facts.issuer;
const now = new Date("2026-02-01T00:00:00Z");
const TOMORROW = "2026-02-02T00:00:00Z";
const REVOKED = 7;

const list = statusListCredential({
  url: facts.status.listUrl,
  issuer: did,
  bits: statusBits([REVOKED]),
  validFrom: new Date("2026-01-31T00:00:00Z"),
  validUntil: new Date("2026-02-03T00:00:00Z"),
  maxAge: 10,
});

async function signed(document: Json, key = ed25519): Promise<Json> {
  const { id } = Object(document.issuer);
  const verificationMethod = keyUrl(id ?? document.issuer, key);
  return signDocument(document, { key, verificationMethod, created: "2026-01-15T10:30:00Z" });
}

/** Returns the verdicts of the command and the page on the same file, keys and status list. */
async function verdictsOn(file: string | Uint8Array, listed: Json) {
  const bytes = new Uint8Array(Buffer.from(file));
  const answers: Record<string, unknown> = {
    "https://credentials.example.org/.well-known/did.json": didDocument(did, [ed25519, p256]),
    [facts.status.listUrl]: listed,
  };
  const fetchJson = async (url: string) => answers[url] ?? Promise.reject(new Error(`no ${url}`));
  const service: Service = {
    issuer: async () => ({
      did,
      keys: [ed25519, p256].map(({ fragment, jwk }) => ({ fragment, jwk: JSON.stringify(jwk) })),
    }),
    statusList: async () => listed,
    byChecksum: async () => ({ verdict: "CREDENTIAL_VERDICT_UNKNOWN" }),
  };
  const verdict = await verifyBadge(badgeInFile(bytes).badge() ?? "", fetchJson, now);
  const failures = verdict?.failures.map(({ kind }) => kind).join() || "valid";
  return [verdict ? failures : "no badge", (await checkFile(bytes, service, now)).outcome];
}

const same = (badge: Json) => badge;

const status = (change: object) => (badge: Json) => ({
  ...badge,
  credentialStatus: { ...badge.credentialStatus, ...change },
});

/** Each variant is signed with the correct key, unless it states another one. */
const VARIANTS: Record<
  string,
  {
    badge?: (badge: Json) => Json;
    list?: (list: Json) => Json;
    by?: { ed25519: SigningKey; p256: SigningKey };
    is: [string, string];
    asJwt?: [string, string];
  }
> = {
  "as issued": { is: ["valid", "genuine"] },
  "from tomorrow": { badge: (badge) => ({ ...badge, validFrom: TOMORROW }), is: ["early", "early"] },
  // A JWT repeats the times of its badge in claims. No claim can agree with an invalid time, so the JWT is regarded as
  // altered.
  "from no time": {
    badge: ({ validFrom: _, ...badge }) => badge,
    is: ["early", "early"],
    asJwt: ["signature,early", "altered"],
  },
  "from yesterday, in words": {
    badge: (badge) => ({ ...badge, validFrom: "yesterday" }),
    is: ["early", "early"],
    asJwt: ["signature,early", "altered"],
  },
  "until yesterday": {
    badge: (badge) => ({ ...badge, validUntil: "2026-01-31T00:00:00Z" }),
    is: ["expired", "expired"],
  },
  "until this moment": {
    badge: (badge) => ({ ...badge, validUntil: "2026-02-01T00:00:00Z" }),
    is: ["expired", "expired"],
  },
  "until tomorrow": { badge: (badge) => ({ ...badge, validUntil: TOMORROW }), is: ["valid", "genuine"] },
  "until no time": {
    badge: (badge) => ({ ...badge, validUntil: "never" }),
    is: ["expired", "expired"],
    asJwt: ["signature,expired", "altered"],
  },
  "without status": { badge: ({ credentialStatus: _, ...badge }) => badge, is: ["valid", "genuine"] },
  "an empty index": { badge: status({ statusListIndex: "" }), is: ["status", "unchecked"] },
  "a negative index": { badge: status({ statusListIndex: "-1" }), is: ["status", "unchecked"] },
  "an index with an exponent": { badge: status({ statusListIndex: "1e3" }), is: ["status", "unchecked"] },
  "an index that the list lacks": {
    badge: status({ statusListIndex: "99999999" }),
    is: ["status", "unchecked"],
  },
  "an index that is a number": { badge: status({ statusListIndex: 5 }), is: ["valid", "genuine"] },
  "the index of a revoked one": {
    badge: status({ statusListIndex: String(REVOKED) }),
    is: ["revoked", "withdrawn"],
  },
  "for another purpose": { badge: status({ statusPurpose: "suspension" }), is: ["status", "unchecked"] },
  "a list from tomorrow": {
    list: (each) => signed({ ...each, validFrom: TOMORROW }),
    is: ["status", "unchecked"],
  },
  "a list that is out of date": {
    list: (each) => signed({ ...each, validUntil: "2026-01-31T12:00:00Z" }),
    is: ["status", "unchecked"],
  },
  "a list without end": { list: ({ validUntil: _, ...each }) => signed(each), is: ["valid", "genuine"] },
  "a list of another id": {
    list: (each) => signed({ ...each, id: "https://credentials.example.org/status/1" }),
    is: ["status", "unchecked"],
  },
  "a list by a stranger's key": {
    list: (each) => signed(each, ed25519KeyOf(Buffer.alloc(32, 7))),
    is: ["status", "unchecked"],
  },
  "a list that was changed": {
    list: async (each) => ({ ...(await signed(each)), validUntil: "2030-01-01T00:00:00Z" }),
    is: ["status", "unchecked"],
  },
  // The page has the keys of the service itself, so it finds them even if the badge was issued under a different
  // address.
  "issued under an earlier address, where nobody answers": {
    badge: (badge) => ({ ...badge, issuer: { ...badge.issuer, id: "did:web:elsewhere.test" } }),
    is: ["keys", "genuine"],
  },
  "a stranger's badge": {
    badge: (badge) => ({ ...badge, issuer: { ...badge.issuer, id: "did:web:elsewhere.test" } }),
    by: { ed25519: ed25519KeyOf(Buffer.alloc(32, 7)), p256: readSigningKey(newSigningKey("P-256")) },
    is: ["keys", "foreign"],
  },
  "a badge by a stranger's key": {
    by: { ed25519: ed25519KeyOf(Buffer.alloc(32, 7)), p256: readSigningKey(newSigningKey("P-256")) },
    is: ["signature", "altered"],
  },
};

describe("the command and the page agree on a badge", () => {
  for (const [
    what,
    { badge = same, list: listed = signed, by = { ed25519, p256 }, is, asJwt = is },
  ] of Object.entries(VARIANTS)) {
    test(`${what}, as JSON`, async () => {
      const document = await signed(badge(openBadge(facts)), by.ed25519);
      expect(await verdictsOn(asciiJson(document), await listed(list))).toEqual(is);
    });
    test(`${what}, as JWT`, async () => {
      const document = badge(openBadge(facts));
      const jwt = await signJwt(document, { key: by.p256, kid: keyUrl(document.issuer.id, by.p256) });
      expect(await verdictsOn(jwt, await listed(list))).toEqual(asJwt);
    });
  }
});

const genuine = async () => asciiJson(await signed(openBadge(facts)));
const jwtOf = () => signJwt(openBadge(facts), { key: p256, kid: keyUrl(did, p256) });
const verdictsOnGenuine = async (file: string | Uint8Array) => verdictsOn(file, await signed(list));

describe("JSON with two members of the same name is not accepted as signed", () => {
  // Of two members with the same name, JSON.parse keeps the second, which is the signed one. Other programs may show
  // the first.
  test.each<[string, (json: string) => string]>([
    ["name", (json) => json.replace("{", '{"name":"Doctor of Medicine",')],
    ["name, escaped", (json) => json.replace("{", '{"n\\u0061me":"Doctor of Medicine",')],
    ["name, twice the same", (json) => json.replace(/("name":"[^"]*",)/, "$1$1")],
    ["the context", (json) => json.replace("{", '{"@context":[],')],
    ["the subject", (json) => json.replace("{", '{"credentialSubject":{},')],
    [
      "the holder",
      (json) => json.replace('"identityHash":', '"identityHash":"Mallory Forged","identityHash":'),
    ],
    ["the issuer's name", (json) => json.replace('"issuer":{', '"issuer":{"name":"Oxford",')],
    ["the proof", (json) => json.replace("{", '{"proof":{},')],
    ["evidence, which is not signed at all", (json) => json.replace("{", '{"evidence":1,"evidence":2,')],
    ["a page of HTML", (json) => json.replace("{", '{"name":"<h1>Doctor</h1><!--","name":"-->",')],
  ])("%s", async (_what, change) => {
    const forged = change(await genuine());
    expect(forged).not.toBe(await genuine());
    const [kinds, outcome] = await verdictsOnGenuine(forged);
    expect(kinds).toMatch(/^signature/);
    expect(outcome).toBe("altered");
  });

  test.each(["header", "payload"])("in the %s of a JWT, even if its issuer signed it", async (part) => {
    const jwt = await jwtOf();
    const parts = jwt.split(".").map((each) => Buffer.from(each, "base64url").toString());
    const at = part === "header" ? 0 : 1;
    parts[at] = parts[at]?.replace("{", '{"name":"Doctor","kid":"x","name":"Doctor","kid":"x",') ?? "";
    const text = parts.slice(0, 2).map((each) => Buffer.from(each).toString("base64url"));
    if (part === "header")
      text[0] = Buffer.from(
        `{"kid":"did:web:elsewhere.test#x",${Buffer.from(jwt.split(".")[0] ?? "", "base64url")
          .toString()
          .slice(1)}`,
      ).toString("base64url");
    const signature = await p256.sign(Buffer.from(text.join(".")));
    const forged = `${text.join(".")}.${Buffer.from(signature).toString("base64url")}`;
    expect(await verdictsOnGenuine(forged)).toEqual(["signature", "altered"]);
  });
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';
const PNG = pngOf({ width: 1, height: 1, rows: Buffer.from([0, 1, 2, 3, 255]) });
const FOUND = join(import.meta.dirname, "fixtures");

describe("a picture with a badge", () => {
  test.each<[string, () => Promise<string | Uint8Array>]>([
    ["an SVG", async () => bakeSvg(SVG, await genuine())],
    ["an SVG with a JWT", async () => bakeSvg(SVG, await jwtOf())],
    ["an SVG in UTF-16", async () => Buffer.from(`\ufeff${bakeSvg(SVG, await genuine())}`, "utf16le")],
    [
      "an SVG in UTF-16, the other way round",
      async () => Buffer.from(`\ufeff${bakeSvg(SVG, await genuine())}`, "utf16le").swap16(),
    ],
    [
      "an SVG in Latin-1",
      async () =>
        Buffer.from(
          `<?xml version="1.0" encoding="ISO-8859-1"?><!-- \u00e9 -->${bakeSvg(SVG, await genuine())}`,
          "latin1",
        ),
    ],
    [
      "an SVG with another prefix and escaped text",
      async () => {
        const text = (await genuine())
          .replaceAll("&", "&amp;")
          .replaceAll("<", "&lt;")
          .replaceAll('"', "&quot;");
        return `<ns0:svg xmlns:ns0="http://www.w3.org/2000/svg" xmlns:ns1="https://purl.imsglobal.org/ob/v3p0"><ns1:credential>${text}</ns1:credential></ns0:svg>`;
      },
    ],
    [
      "an SVG with a default namespace",
      async () =>
        `<svg xmlns="http://www.w3.org/2000/svg"><credential xmlns="https://purl.imsglobal.org/ob/v3p0">${(await genuine()).replaceAll("&", "&amp;")}</credential></svg>`,
    ],
    [
      "an SVG with entities of its own",
      async () =>
        `<!DOCTYPE svg [<!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">]>${bakeSvg(SVG.replace("<svg", '<svg xmlns:x="&ns_extend;"'), await genuine())}`,
    ],
    ["an SVG with the same badge twice", async () => twiceIn(bakeSvg(SVG, await genuine()))],
    ["a PNG", async () => bakePng(PNG, await genuine())],
    [
      "a PNG with the same badge twice",
      async () => withChunk(bakePng(PNG, await genuine()), await genuine()),
    ],
    ["a PNG with compressed text", async () => withChunk(PNG, await genuine(), true)],
    [
      "a presentation",
      async () => `{"type":["VerifiablePresentation"],"verifiableCredential":[${await genuine()}]}`,
    ],
    ["a message of wallets", async () => `{"credentials":[{"credential":${await genuine()}}]}`],
    ["a presentation with a JWT", async () => JSON.stringify({ verifiableCredential: await jwtOf() })],
  ])("is found in %s", async (_what, file) => {
    expect(await verdictsOnGenuine(await file())).toEqual(["valid", "badge-genuine"]);
  });

  test.each(["utf16le", "utf8"] as const)("JSON in %s with a byte order mark is read", async (encoding) => {
    expect(await verdictsOnGenuine(Buffer.from(`\ufeff${await genuine()}`, encoding))).toEqual([
      "valid",
      "genuine",
    ]);
  });

  test.each(["svg-escaped-text", "svg-php-nocdata", "svg-python-elementtree"])(
    "is found in %s.svg, which a program has saved again",
    async (name) => {
      const [, outcome] = await verdictsOnGenuine(readFileSync(join(FOUND, `${name}.svg`)));
      expect(outcome).toBe("foreign");
    },
  );

  test.each<[string, () => Promise<string | Uint8Array>]>([
    ["an SVG", async () => twoIn(bakeSvg(SVG, await genuine()), await jwtOf())],
    ["a PNG", async () => withChunk(bakePng(PNG, await genuine()), await jwtOf())],
  ])("%s with two different badges is refused by both", async (_what, file) => {
    const bytes = await file();
    await expect(verdictsOnGenuine(bytes)).rejects.toThrow("the picture contains several different badges");
    const service = { byChecksum: async () => ({ verdict: "" }) } as unknown as Service;
    expect((await checkFile(new Uint8Array(Buffer.from(bytes)), service)).outcome).toBe("unknown");
  });

  test.each<[string, (svg: string) => string]>([
    [
      "within a comment",
      (svg) => svg.replace(/<openbadges:credential>.*<\/openbadges:credential>/s, "<!--$&-->"),
    ],
    ["of another namespace", (svg) => svg.replaceAll("imsglobal.org/ob/v3p0", "imsglobal.org/ob/v9")],
    ["in what is not well-formed", (svg) => svg.replace("</svg>", "")],
    [
      "as text of a script",
      (svg) =>
        svg
          .replace("<openbadges:credential>", "<script>&lt;openbadges:credential>")
          .replace("</openbadges:credential>", "</script>"),
    ],
  ])("none is found %s", async (_what, change) => {
    const svg = bakeSvg(SVG, await genuine());
    expect(change(svg)).not.toBe(svg);
    expect(await verdictsOnGenuine(change(svg))).toEqual(["no badge", "unknown"]);
  });

  test.each<[string, (svg: string) => string]>([
    ["elements within elements", (svg) => svg.replace("<circle", `${"<g>".repeat(1e6)}<circle`)],
    ["many elements", (svg) => svg.replace("<circle", `${"<g/>".repeat(1e6)}<circle`)],
    ["entities that nobody knows", (svg) => svg.replace("<circle", `${"&a;".repeat(1e6)}<circle`)],
    [
      "prefixes that nobody knows",
      (svg) => svg.replace('r="4"', Array.from({ length: 2e5 }, (_, at) => `x:a${at}="1"`).join(" ")),
    ],
  ])(
    "an SVG of 4 MB with %s takes less time to refuse than JSON of that size to parse",
    async (_what, change) => {
      const svg = change(bakeSvg(SVG, await genuine()));
      const json = `[${"{},".repeat(1.3e6)}{}]`;
      const started = process.cpuUsage();
      JSON.parse(json);
      const parsing = processorMs(started);
      const before = process.cpuUsage();
      expect(badgeInFile(Buffer.from(svg)).badge()).toBeUndefined();
      expect(processorMs(before)).toBeLessThan(parsing);
    },
  );

  test("a PNG with many compressed copies of a badge is refused before they are decompressed", async () => {
    let png = PNG;
    for (let copy = 0; copy < 9; copy++) png = withChunk(png, await genuine(), true);
    await expect(verdictsOnGenuine(png)).rejects.toThrow("too many badges");
  });

  test("a wrapper that has a member twice, or contains two credentials, is not accepted", async () => {
    const badge = await genuine();
    for (const text of [
      `{"verifiableCredential":[${badge},${badge}]}`,
      `{"credential":${badge},"verifiableCredential":${badge}}`,
      `{"credential":{},"credential":${badge}}`,
    ])
      expect(await verdictsOnGenuine(text)).toEqual(["no badge", "unknown"]);
  });
});

const ELEMENT = /<openbadges:credential.*<\/openbadges:credential>/s;
const twiceIn = (svg: string) => svg.replace(ELEMENT, "$&$&");
const twoIn = (svg: string, other: string) =>
  svg.replace(ELEMENT, `$&<openbadges:credential verify="${other}"/>`);

/** Returns the picture with an additional chunk for a badge. */
function withChunk(png: Uint8Array, badge: string, isCompressed = false): Buffer {
  const head = Buffer.from(`openbadgecredential\0${isCompressed ? "\u0001" : "\0"}\0\0\0`, "latin1");
  const text = isCompressed ? deflateSync(badge) : Buffer.from(badge);
  const end = png.length - 12;
  return Buffer.concat([png.subarray(0, end), chunk("iTXt", Buffer.concat([head, text])), png.subarray(end)]);
}
