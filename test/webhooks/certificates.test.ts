import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createServer as createPlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listAttempts } from "#domain/webhooks/attempt-store.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { type Authority, createAuthority, type ServerIdentity, selfSigned } from "./authority.js";
import { openSenders, SERVICE_SECRET, sealNumbered } from "./senders.js";

/** Certificates can only be created with openssl. */
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.warn("skipped: there is no openssl");

let db: TestDatabase;
let senders: ReturnType<typeof openSenders>;
let authority: Authority;
const servers: { close(): unknown }[] = [];
let sender: ChildProcessWithoutNullStreams;

beforeAll(async () => {
  if (!hasOpenssl) return;
  db = await createTestDatabase();
  senders = openSenders(db);
  await sealNumbered(db.database.knex, 2);
  authority = createAuthority();
  const script = fileURLToPath(new URL("sender-process.js", import.meta.url));
  const timings = { pollMs: 20, waitMs: 50, afterFailureMs: 5, progressMs: 50 };
  sender = spawn(process.execPath, [script, db.url, SERVICE_SECRET, JSON.stringify(timings)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: authority.file },
  });
});
afterAll(async () => {
  sender?.kill("SIGKILL");
  for (const server of servers) server.close();
  authority?.remove();
  await db?.drop();
});

/** Starts a receiver at `https://localhost`. @returns its URL and the types of the events that it received */
async function receiveAs(identity: ServerIdentity | undefined) {
  const types: string[] = [];
  const answer: Parameters<typeof createPlainServer>[1] = async (request, response) => {
    types.push(JSON.parse(await text(request)).type);
    response.writeHead(204).end();
  };
  const server: Server | ReturnType<typeof createPlainServer> = identity
    ? createServer(identity, answer)
    : createPlainServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, types };
}

const attemptsAt = (endpointId: string) =>
  listAttempts(db.database.knex, { endpointId, failuresOnly: false }, 0, 100);

test.skipIf(!hasOpenssl)("a certificate of an authority in NODE_EXTRA_CA_CERTS is trusted", async () => {
  const { url, types } = await receiveAs(authority.issue("localhost"));
  const { endpoint } = await senders.create(url);
  await expect.poll(() => types, { timeout: 20_000 }).toEqual(["credential.issued", "credential.issued"]);
  await expect
    .poll(async () => (await attemptsAt(endpoint.id)).map(({ outcome, error }) => [outcome, error]))
    .toEqual([
      ["delivered", ""],
      ["delivered", ""],
    ]);
});

test.skipIf(!hasOpenssl).each<[string, () => ServerIdentity | undefined, string]>([
  ["for another name", () => authority.issue("lms.test"), "its certificate is for another name"],
  ["that has expired", () => authority.issue("localhost", "220101000000Z"), "its certificate has expired"],
  ["that is self-signed", () => selfSigned("localhost"), "its certificate is self-signed"],
  [
    "of another authority",
    () => {
      const other = createAuthority();
      const identity = other.issue("localhost");
      other.remove();
      return identity;
    },
    "its certificate chain is not complete, or its authority is not trusted (NODE_EXTRA_CA_CERTS adds authorities)",
  ],
  ["that is not there", () => undefined, "it does not support TLS, or only old versions"],
])("nothing is sent if the certificate is %s, and the attempts say so", async (_, identity, error) => {
  const { url, types } = await receiveAs(identity());
  const { endpoint } = await senders.create(url);
  await expect
    .poll(async () => [...new Set((await attemptsAt(endpoint.id)).map((each) => each.error))], {
      timeout: 20_000,
    })
    .toEqual([error]);
  const attempts = await attemptsAt(endpoint.id);
  expect(new Set(attempts.map(({ outcome, status }) => `${outcome} ${status}`))).toEqual(
    new Set(["failed null"]),
  );
  expect(types).toEqual([]);
  await db.database.knex("webhook_endpoints").where({ id: endpoint.id }).delete();
});
