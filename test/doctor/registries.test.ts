import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RegistryClient } from "@digitalcredentials/issuer-registry-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchAnswer } from "#app/commands/fetch-json.js";
import { checkRegistries } from "#runtime/doctor/check-registries.js";
import type { Finding } from "#runtime/doctor/finding.js";

const DID = "did:web:harbour.test";
const issuers = [{ did: DID, name: "Harbour Light" }];

/** Responses of the server by path and query. All others are 404. */
let answers: Record<string, { status?: number; body: string }>;
let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const { status = 200, body } = answers[url] ?? { status: 404, body: "{}" };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Returns an entity statement in the form of OpenID Federation. Its signature is never verified. */
function statement(metadata: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "ES256", typ: "entity-statement+jwt" })}.${part({ iss: "x", sub: DID, metadata })}.AAAA`;
}

const file = (registry: object) => ({ body: JSON.stringify({ meta: {}, registry }) });
const listOf = (...entries: unknown[]) => ({ body: JSON.stringify(entries) });
const legacy = (path: string) => ({ type: "dcc-legacy", name: `File ${path}`, url: `${base}/${path}` });
const federation = () => ({ type: "oidf", name: "Members", trustAnchorEC: `${base}/anchor` });
const anchor = () => ({
  body: statement({ federation_entity: { federation_fetch_endpoint: `${base}/fetch` } }),
});

async function findings(url = `${base}/list`): Promise<string[]> {
  const found: Finding[] = [];
  for await (const each of checkRegistries({ url, issuers, fetchAnswer })) found.push(each);
  return found.map(({ kind, detail }) => `${kind}: ${detail.replaceAll(base, "")}`);
}

/** Returns what the library of VerifierPlus finds in the same registries. */
async function foundByClient(): Promise<(string | undefined)[]> {
  const client = new RegistryClient();
  client.use({ registries: JSON.parse(answers["/list"]?.body ?? "[]") });
  const { matchingIssuers } = await client.lookupIssuersFor(DID);
  return matchingIssuers.map(
    ({ issuer }) =>
      (issuer as never as { federation_entity: { organization_name: string } }).federation_entity
        .organization_name,
  );
}

describe("an issuer that is listed under its name", () => {
  test.each([
    [
      "in a file of DCC",
      () => ({
        "/list": listOf(legacy("a"), legacy("b")),
        "/a": file({}),
        "/b": file({ [DID]: { name: "Harbour Light", location: "", url: "" } }),
      }),
    ],
    [
      "in a federation",
      () => ({
        "/list": listOf(federation()),
        "/anchor": anchor(),
        [`/fetch?sub=${DID}`]: {
          body: statement({ federation_entity: { organization_name: "Harbour Light" } }),
        },
      }),
    ],
  ])("%s is found by us and by verifiers", async (_where, given) => {
    answers = given();
    expect(await findings()).toEqual([]);
    expect(await foundByClient()).toEqual(["Harbour Light"]);
  });
});

test("an issuer that no registry lists is reported, with the registries", async () => {
  answers = {
    "/list": listOf(legacy("a"), federation()),
    "/a": file({ "did:web:other.test": {} }),
    "/anchor": anchor(),
  };
  expect(await findings()).toEqual([
    'unlisted-issuer: did:web:harbour.test, "Harbour Light": it is not in "File a", "Members"',
  ]);
  expect(await foundByClient()).toEqual([]);
});

test("another name is reported", async () => {
  answers = { "/list": listOf(legacy("a")), "/a": file({ [DID]: { name: "Harbor Light" } }) };
  expect(await findings()).toEqual([
    'misnamed-issuer: did:web:harbour.test: its name is "Harbor Light" in "File a", but "Harbour Light" in its badges',
  ]);
});

test.each([
  [
    "a registry answers 500",
    () => ({ "/list": listOf(legacy("a")), "/a": { status: 500, body: "" } }),
    '"File a": /a responded with status 500',
  ],
  [
    "a registry is no JSON",
    () => ({ "/list": listOf(legacy("a")), "/a": { body: "<html>" } }),
    '"File a": /a did not return JSON',
  ],
  [
    "a registry has another form",
    () => ({ "/list": listOf(legacy("a")), "/a": { body: "null" } }),
    '"File a": /a returned no registry object',
  ],
  [
    "a federation fails",
    () => ({
      "/list": listOf(federation()),
      "/anchor": anchor(),
      [`/fetch?sub=${DID}`]: { status: 503, body: "" },
    }),
    '"Members": /fetch?sub= responded with status 503',
  ],
  [
    "an anchor is no statement",
    () => ({ "/list": listOf(federation()), "/anchor": { body: "x.e30.y" } }),
    '"Members": /anchor returned no valid entity statement',
  ],
  [
    "a registry is of a new type",
    () => ({ "/list": listOf({ type: "ebsi", name: "E" }) }),
    '"E": its type "ebsi" is not supported',
  ],
])("if %s, it is reported once", async (_what, given, problem) => {
  answers = given();
  expect(await findings()).toEqual([
    `unanswered-registry: ${problem}`,
    'unlisted-issuer: did:web:harbour.test, "Harbour Light": it is not in any registry that responds',
  ]);
});

test.each([
  ["no list", { body: "{}" }, /\/list is not a list of registries/],
  ["too many", listOf(...Array(51).fill({})), /lists 51 registries; at most 50/],
  ["nothing", { status: 404, body: "" }, /\/list responded with status 404/],
])("a list that is %s is reported", async (_what, list, problem) => {
  answers = { "/list": list };
  expect(await findings()).toEqual([expect.stringMatching(problem)]);
});

test("an address that is not https is not requested", async () => {
  answers = {};
  expect(await findings("http://registry.test/list")).toEqual([
    expect.stringMatching(/does not start with https/),
  ]);
});
