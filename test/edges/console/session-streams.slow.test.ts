import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, test } from "vitest";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { startTestService, tokenOf } from "../../support/service.js";
import { SAME_ORIGIN, signIn, signInWithProvider } from "./console-session.js";
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from "./identity-provider.js";

const academy = givenAcademy();
beforeAll(async () => {
  await academy.enrol("ana");
  await academy.issue("ana");
});

/** Follows all events like a page of the console. Resolves when the first event has arrived. */
async function follow(cookie: string, service = academy.service) {
  const transport = createConnectTransport({
    baseUrl: `${service.httpUrl}/console/rpc`,
    httpVersion: "1.1",
    interceptors: [
      (next) => (request) => {
        for (const [name, value] of Object.entries({ ...SAME_ORIGIN, cookie }))
          request.header.set(name, value);
        return next(request);
      },
    ],
  });
  const stream = createClient(CredentialService, transport).watchCredentialEvents({});
  const events = stream[Symbol.asyncIterator]();
  expect((await events.next()).done).toBe(false);
  return {
    /** Returns how the stream ends. */
    async end() {
      try {
        while (!(await events.next()).done);
        return "without an error";
      } catch (error) {
        const { code, rawMessage } = ConnectError.from(error);
        return `${Code[code]}: ${rawMessage}`;
      }
    },
  };
}

const knex = () => academy.service.app.database.knex;

test("streams end with their session, however it ends, and those of others continue", async () => {
  const streams = [];
  for (const username of ["ida", "eve", "rita"]) {
    streams.push(await follow(await signIn(academy.service, { username, roles: ["viewer"] })));
  }
  const [deleted, idle, open] = streams;
  await knex()("console_sessions").where({ username: "ida" }).delete();
  await knex()("console_sessions")
    .where({ username: "eve" })
    .update({ seen_at: knex().raw("now() - interval '61 minutes'") });
  const ended = "Unauthenticated: This session has ended: sign in again.";
  expect([await deleted?.end(), await idle?.end()]).toEqual([ended, ended]);

  const isOver = open?.end().then(() => true);
  const later = await follow(await signIn(academy.service, { username: "uma", roles: ["viewer"] }));
  expect(await Promise.race([isOver, Promise.resolve(false)])).toBe(false);
  await knex()("console_sessions").delete();
  expect([await later.end(), await isOver]).toEqual([ended, true]);
});

test("a stream ends when the granted role of its session is revoked or reduced", async () => {
  const provider = await startIdentityProvider();
  const service = await startTestService({
    beside: academy.service,
    settings: { OIDC_ISSUER: provider.url, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
  });
  const admin = service.client(AdministrationService, await tokenOf({ username: "lms", service: "write" }));
  const ended = "Unauthenticated: This session has ended: sign in again.";
  provider.claims = { sub: "42", preferred_username: "uwe" };
  const registrar = { username: "uwe", roles: [Role.REGISTRAR] };
  const first = await admin.setStaffGrant(registrar);
  const { cookie } = await signInWithProvider(service, provider);
  const reduced = await follow(cookie, service);
  const { etag } = await admin.setStaffGrant({ ...registrar, roles: [Role.VIEWER], etag: first.etag });
  expect(await reduced.end()).toBe(ended);
  const again = await signInWithProvider(service, provider);
  const revoked = await follow(again.cookie, service);
  await admin.deleteStaffGrant({ username: "uwe", etag });
  expect(await revoked.end()).toBe(ended);
  await service.stop();
  await provider.stop();
});
