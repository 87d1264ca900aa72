import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkEndpointUrl } from "#domain/webhooks/endpoint-url.js";
import { openPosting, type PostResult } from "#domain/webhooks/post.js";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createResolveName } from "#infrastructure/outbound/resolve-name.js";
import { type NameServer, startNameServer } from "./name-server.js";

/** Listens on all addresses of this machine. No webhook may connect to any of them. */
let forbidden: Server;
let port: number;
let connections = 0;
let names: NameServer;
/** For each query of `rebinding.test`, how often it was queried for this type before. */
const resolved: number[] = [];

beforeAll(async () => {
  forbidden = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => forbidden.listen(0, "::", resolve));
  port = (forbidden.address() as AddressInfo).port;
  names = await startNameServer({
    "loopback.test": () => ["127.0.0.1"],
    "loopback6.test": () => ["::1"],
    "mapped.test": () => ["::ffff:7f00:1"],
    "nat64.test": () => ["64:ff9b::7f00:1"],
    "sixtofour.test": () => ["2002:7f00:1::"],
    "private.test": () => ["10.0.0.1"],
    "metadata.test": () => ["169.254.169.254"],
    "mixed.test": () => ["203.0.114.1", "127.0.0.1"],
    "mixed6.test": () => ["203.0.114.1", "fd00::1"],
    "any.test": () => ["0.0.0.0"],
    // The first answer for this name is a public address. All later answers are this machine.
    "rebinding.test": (turn) => {
      resolved.push(turn);
      return turn === 0 ? ["203.0.114.1"] : ["127.0.0.1"];
    },
    "nothing.test": () => [],
  });
});
afterAll(async () => {
  names.close();
  await new Promise((resolve) => forbidden.close(resolve));
});

const rule = createAddressRule([]);
const limits = { connectMs: 400, totalMs: 800 };

async function post(url: string, networks: readonly string[] = []): Promise<PostResult> {
  const resolveName = createResolveName([names.address]);
  const posting = openPosting(url, { rule: createAddressRule(networks), resolveName, limits });
  try {
    return await posting.post({}, "{}");
  } finally {
    posting.close();
  }
}

/** Hosts that lead to this machine or into its network, in every form that a URL allows. */
const hosts = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "017700000001",
  "0177.0.0.1",
  "127.0.0.1.",
  "127.255.255.254",
  "0.0.0.0",
  "0",
  "①②⑦.0.0.1",
  "127。0。0。1",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[2001:db8::1]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[100::1]",
  "[5f00::1]",
  "[4000::1]",
] as const;

describe("an address that is not public", () => {
  test.each(hosts)(
    "%s is refused when the endpoint is created, and when something is posted",
    async (host) => {
      const url = `https://${host}:${port}/`;
      expect(() => checkEndpointUrl("url", url, rule)).toThrow(/its address is not public \(/);
      expect(await post(url)).toMatchObject({
        outcome: "failed",
        status: null,
        error: expect.stringContaining("its address is not public"),
      });
      expect(connections).toBe(0);
    },
  );

  test.each([
    "loopback.test",
    "loopback6.test",
    "mapped.test",
    "nat64.test",
    "sixtofour.test",
    "private.test",
    "metadata.test",
    "mixed.test",
    "mixed6.test",
    "any.test",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
  ])("is refused behind the name %s, on connecting", async (name) => {
    expect(checkEndpointUrl("url", `https://${name}:${port}/`, rule)).toContain(`:${port}`);
    const { error } = await post(`https://${name}:${port}/`);
    expect(error).toContain("its address is not public");
    expect(connections).toBe(0);
  });

  test("is not reached by a name that was public a moment ago: the name is resolved once for each connection", async () => {
    const url = `https://rebinding.test:${port}/`;
    const first = await post(url);
    expect(first).toMatchObject({ outcome: "failed", status: null });
    expect(first.error).not.toContain("its address is not public");
    expect(resolved).toEqual([0, 0]); // once for IPv4, and once for IPv6
    expect((await post(url)).error).toContain("its address is not public (loopback)");
    expect(resolved).toEqual([0, 0, 1, 1]);
    expect(connections).toBe(0);
  });

  test("is refused even if the name also leads to an allowed network", async () => {
    expect((await post(`https://mixed6.test:${port}/`, ["203.0.114.0/24"])).error).toContain("(uniqueLocal)");
    expect(connections).toBe(0);
  });

  test("a name without an address is reported as such", async () => {
    expect((await post(`https://nothing.test:${port}/`)).error).toBe(
      "DNS has no address for its name (/etc/hosts is not read)",
    );
  });
});

describe("the settings", () => {
  test("allow networks, and only these", async () => {
    const before = connections;
    const url = `http://loopback.test:${port}/`;
    expect((await post(url, ["127.0.0.0/8"])).error).toBe("the connection was closed without a response");
    expect(connections).toBe(before + 1);
    expect((await post(url, ["10.0.0.0/8"])).error).toContain("not public (loopback)");
    expect((await post(`http://[::1]:${port}/`, ["127.0.0.0/8"])).error).toContain("not public (loopback)");
    expect((await post(`http://[::ffff:127.0.0.1]:${port}/`, ["127.0.0.0/8"])).error).toContain("closed");
    expect(connections).toBe(before + 2);
  });
});

describe("a URL", () => {
  const inNetwork = createAddressRule(["127.0.0.0/8"]);

  test.each([
    ["https://user:secret@lms.example.org/", "contains a username or password"],
    ["https://lms.example.org/#part", "contains a fragment"],
    ["ftp://lms.example.org/", 'begins with "ftp:"'],
    ["file:///etc/passwd", 'begins with "file:"'],
    ["https://lms.example.org:22/", "has port 22"],
    ["https://lms.example.org:80/", "has port 80"],
    ["http://8.8.8.8/", "WEBHOOK_ALLOWED_NETWORKS"],
    ["lms.example.org", "it must be a URL"],
    ["", "it must be a URL"],
    [`https://lms.example.org/${"x".repeat(2000)}`, "has 2024 characters"],
  ])("%s is refused", (url, message) => {
    expect(() => checkEndpointUrl("url", url, inNetwork)).toThrow(message);
  });

  test.each([
    "https://lms.example.org/hooks?key=1",
    "https://lms.example.org:8443/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "http://127.0.0.1:8080/",
    "http://lms.example.org/", // if the host is not in the network, connections are refused later
  ])("%s is accepted", (url) => {
    expect(checkEndpointUrl("url", url, inNetwork)).toBe(url);
  });
});
