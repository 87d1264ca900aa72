import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { describeFailure } from "#app/commands/failure.js";

test("a command whose database accepts connections and never answers says so", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `postgresql://lc@127.0.0.1:${(server.address() as AddressInfo).port}/lc`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 50 });
  client.on("error", () => {});
  onTestFinished(() => void server.close());
  const error = await client.connect().catch((error) => error);
  expect(describeFailure(error, url).text).toContain(
    "it does not respond. Check that this machine can reach it",
  );
});
