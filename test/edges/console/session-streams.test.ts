import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { givenAcademy } from "../../credentials/academy.js";
import { SAME_ORIGIN, signIn } from "./console-door.js";

const academy = givenAcademy();
beforeAll(async () => {
  await academy.enrol("ana");
  await academy.issue("ana");
});

/** Follows all events as a page of the console does. Its first event is there. */
async function follow(cookie: string) {
  const transport = createConnectTransport({
    baseUrl: `${academy.service.httpUrl}/console/rpc`,
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
    /** How it ends. */
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
