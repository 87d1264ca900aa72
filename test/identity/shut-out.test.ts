import { afterAll, beforeAll, test } from "vitest";
import { openWire, type Wire } from "../api/wire.js";
import { ended, startCommand } from "../commands/run-command.js";
import { token as tokenWith } from "../contract/callers.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { tokenOf } from "../support/service.js";

const METHOD = "/learning_credentials.v1.CredentialService/ListMyCredentials";
const LET_IN = [200, 200, "OK", 302];
const SHUT_OUT = [403, 403, "PermissionDenied", 403];

const academy = givenAcademy();
let wire: Wire;
beforeAll(() => {
  wire = openWire(academy.service);
});
afterAll(() => wire.close());

/** A learner who has a credential. */
async function holder(username: string) {
  const { uuid, verifyUuid } = await academy.issued(username);
  const token = await tokenOf({ username });
  return {
    verifyUuid,
    token,
    answers: (presented = token) => answersTo(presented, uuid),
    report: (isActive: boolean) =>
      academy.report({ case: "learner", value: { username, fullName: username, isActive } }),
  };
}

/** Returns the statuses of REST and Connect, the gRPC code, and the status of the download. */
async function answersTo(presented: string, uuid: string): Promise<unknown[]> {
  const { httpUrl } = academy.service;
  const headers = { authorization: `Bearer ${presented}` };
  const request = async (path: string, more: RequestInit = {}) =>
    (
      await fetch(`${httpUrl}${path}`, {
        redirect: "manual",
        ...more,
        headers: { ...headers, ...more.headers },
      })
    ).status;
  const body = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  return [
    await request(`/api/learning_credentials/v1/configured/${COURSE}/`),
    await request(METHOD, body),
    (await wire.grpc(METHOD, Buffer.alloc(0), headers)).code,
    await request(`/download/credential/${uuid}/`),
  ];
}

test.concurrent("a token is accepted as long as its learner's account is active", async ({ expect }) => {
  const { answers, report } = await holder("ana");
  expect(await answers()).toEqual(LET_IN);
  await report(false);
  await expect.poll(() => answers()).toEqual(SHUT_OUT);
  await report(true);
  expect(await answers()).toEqual(LET_IN);
});

test.concurrent("a withdrawn record locks nobody out, nor does an inactive learner lock out a service of the same name", async ({
  expect,
}) => {
  const { answers, report } = await holder("ben");
  await report(false);
  await expect.poll(() => answers()).toEqual(SHUT_OUT);
  const service = await tokenOf({ username: "ben", service: "read" });
  expect((await answers(service)).slice(0, 1)).toEqual([200]);
  await academy.withdraw({ case: "learner", value: { username: "ben" } });
  expect(await answers()).toEqual(LET_IN);
});

test.concurrent("public methods check no account", async ({ expect }) => {
  const { answers, report, token, verifyUuid } = await holder("cyd");
  await report(false);
  await expect.poll(() => answers()).toEqual(SHUT_OUT);
  const metadata = `${academy.service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`;
  expect((await fetch(metadata, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});

test.concurrent("a person with a reassigned username can't get the previous holder's credentials", async ({
  expect,
}) => {
  const { answers } = await holder("dan");
  const tokenOfSubject = (sub: string) =>
    tokenWith({ preferred_username: "dan", iss: "https://lms.test/oauth2", sub });
  const [first, second] = [tokenOfSubject("8e1f0a"), tokenOfSubject("77aa01")];
  expect(await answers(first)).toEqual(LET_IN);
  expect(await answers(second)).toEqual(SHUT_OUT);
  expect(await answers(first)).toEqual(LET_IN);
  expect(await answers()).toEqual(LET_IN);
  const { code, out } = await ended(startCommand(academy.service, ["release", "dan"]));
  expect({ code, out }).toEqual({
    code: 0,
    out: 'released "dan": it will belong to the next account whose token names it\n',
  });
  expect(await answers(second)).toEqual(LET_IN);
});
