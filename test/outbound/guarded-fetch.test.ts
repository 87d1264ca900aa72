import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createGuardedFetch } from "#infrastructure/outbound/guarded-fetch.js";

/** Node warns if an event has more listeners than this. */
const MAX_LISTENERS = 10;

test("a connection that is used for many requests is checked once", async () => {
  const ports = new Set<number | undefined>();
  const warnings: string[] = [];
  const server = createServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("answer");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const warned = ({ name }: Error) => void warnings.push(name);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));

  const guardedFetch = createGuardedFetch({
    rule: createAddressRule(["127.0.0.0/8"]),
    resolveName: async () => ["127.0.0.1"],
  });
  const href = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (let count = 0; count <= 2 * MAX_LISTENERS; count++) {
    const { signal } = new AbortController();
    const response = await guardedFetch(href, { method: "GET", headers: {}, signal });
    expect(await response.text()).toBe("answer");
    await new Promise(setImmediate); // lets the connection become free for the next request
  }
  expect(ports.size).toBe(1);
  expect(warnings).toEqual([]);
});
