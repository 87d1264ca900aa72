import { afterAll, beforeAll, expect, test } from "vitest";
import { openWire, type Wire } from "../api/wire.js";
import { ended, startCommand } from "../commands/run-command.js";
import { token as tokenWith } from "../contract/callers.js";
import { COURSE, givenAcademy } from "../credentials/academy.js";
import { tokenOf } from "../support/service.js";

const METHOD = "/learning_credentials.v1.CredentialService/ListMyCredentials";
const LET_IN = [200, 200, "OK", 302];
const SHUT_OUT = [403, 403, "PermissionDenied", 403];

const academy = givenAcademy();
let wire: Wire;
let uuid: string;
let token: string;

beforeAll(async () => {
  wire = openWire(academy.service);
  await academy.enrol("ana");
  const { configurationId } = academy;
  ({ uuid } = await academy.credentials.issueCredential({ configurationId, username: "ana" }));
  await academy.generate(await academy.idOf(uuid));
  token = await tokenOf({ username: "ana" });
});
afterAll(async () => {
  wire.close();
});

/** Returns the statuses of REST and Connect, the code of gRPC, and the status of the download. */
async function answersTo(presented: string): Promise<unknown[]> {
  const { httpUrl } = academy.service;
  const headers = { authorization: `Bearer ${presented}` };
  const ask = async (path: string, more: RequestInit = {}) =>
    (
      await fetch(`${httpUrl}${path}`, {
        redirect: "manual",
        ...more,
        headers: { ...headers, ...more.headers },
      })
    ).status;
  const body = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  return [
    await ask(`/api/learning_credentials/v1/configured/${COURSE}/`),
    await ask(METHOD, body),
    (await wire.grpc(METHOD, Buffer.alloc(0), headers)).code,
    await ask(`/download/credential/${uuid}/`),
  ];
}

const tellOf = (isActive: boolean) =>
  academy.tell({ case: "learner", value: { username: "ana", fullName: "Ana", isActive } });

test("a token is accepted as long as its learner's account is active", async () => {
  expect(await answersTo(token)).toEqual(LET_IN);
  await tellOf(false);
  await expect.poll(() => answersTo(token)).toEqual(SHUT_OUT);
  await tellOf(true);
  expect(await answersTo(token)).toEqual(LET_IN);
});

test("a withdrawn record locks nobody out, nor does an inactive learner lock out a service of the same name", async () => {
  await tellOf(false);
  await expect.poll(() => answersTo(token)).toEqual(SHUT_OUT);
  const service = await tokenOf({ username: "ana", service: "read" });
  expect((await answersTo(service)).slice(0, 1)).toEqual([200]);
  await academy.withdraw({ case: "learner", value: { username: "ana" } });
  expect(await answersTo(token)).toEqual(LET_IN);
  await tellOf(true);
});

test("public methods check no account", async () => {
  await tellOf(false);
  await expect.poll(() => answersTo(token)).toEqual(SHUT_OUT);
  const { verify_uuid: verifyUuid } = await academy.service.app.database
    .knex("credentials")
    .where({ uuid })
    .first("verify_uuid");
  const metadata = `${academy.service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`;
  expect((await fetch(metadata, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  await tellOf(true);
});

test("a person with a reassigned username can't get the previous holder's credentials", async () => {
  const tokenOfSubject = (sub: string) =>
    tokenWith({ preferred_username: "ana", iss: "https://lms.test/oauth2", sub });
  const [first, second] = [tokenOfSubject("8e1f0a"), tokenOfSubject("77aa01")];
  expect(await answersTo(first)).toEqual(LET_IN);
  expect(await answersTo(second)).toEqual(SHUT_OUT);
  expect(await answersTo(first)).toEqual(LET_IN);
  expect(await answersTo(token)).toEqual(LET_IN);
  const { code, out } = await ended(startCommand(academy.service, ["release", "ana"]));
  expect({ code, out }).toEqual({
    code: 0,
    out: 'released "ana": it will belong to the next account whose token names it\n',
  });
  expect(await answersTo(second)).toEqual(LET_IN);
});
