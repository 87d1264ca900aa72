import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClientOf } from "#edges/http/client-address.js";
import { parseForwarded } from "#edges/http/forwarded.js";
import { networkOf } from "#edges/http/network.js";
import { processorMs } from "../../support/processor-time.js";

const PROXY = "10.0.0.1";

function clientOf(trustedProxies: number, headers: Record<string, string>, peer = PROXY): string {
  const request = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
  return createClientOf(trustedProxies)(request);
}

describe("the network of", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:4711", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["[::ffff:192.0.2.7]:80", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::192.0.2.1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["unknown", undefined],
    ["_hidden", undefined],
    ["", undefined],
    ["192.0.2.256", undefined],
    ["192.0.2.7, 192.0.2.8", undefined],
    ["example.org", undefined],
    ["2001:db8:::1", undefined],
  ])("%s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe("Forwarded", () => {
  test.each<[string, (string | undefined)[] | undefined]>([
    ["for=192.0.2.7", ["192.0.2.7"]],
    ["For=192.0.2.7;proto=https;by=203.0.113.43", ["192.0.2.7"]],
    ['proto=https; for="[2001:db8::1]:4711"', ["[2001:db8::1]:4711"]],
    ['for=192.0.2.7, for="198.51.100.2:80" ;host=a.test', ["192.0.2.7", "198.51.100.2:80"]],
    ["for=192.0.2.7,proto=http", ["192.0.2.7", undefined]],
    ['for="a\\"b,c;for=d"', ['a"b,c;for=d']],
    ["for=unknown, for=_x", ["unknown", "_x"]],
    ["", undefined],
    ["192.0.2.7", undefined],
    ["for=192.0.2.7,", undefined],
    ["for=[2001:db8::1]", undefined],
    ['for="192.0.2.7', undefined],
    ["for = 192.0.2.7", undefined],
    ["for=192.0.2.7 for=192.0.2.8", undefined],
  ])("%s", (header, hops) => {
    expect(parseForwarded(header)).toEqual(hops);
  });
});

describe("the client", () => {
  const forwardedFor = (value: string) => ({ "x-forwarded-for": value });

  test.each<[string, number, Record<string, string>, string]>([
    ["is the peer, with no proxy", 0, {}, PROXY],
    ["is the peer, without a proxy, whatever its headers say", 0, forwardedFor("192.0.2.7"), PROXY],
    ["is the address that the proxy names", 1, forwardedFor("192.0.2.7"), "192.0.2.7"],
    [
      "is the last address that the proxy names: it does not vouch for others",
      1,
      forwardedFor("6.6.6.6, 192.0.2.7"),
      "192.0.2.7",
    ],
    ["is the last but one, with two", 2, forwardedFor("6.6.6.6, 192.0.2.7, 10.0.0.2"), "192.0.2.7"],
    ["is the first, from inside", 2, forwardedFor("192.0.2.7"), "192.0.2.7"],
    [
      "is also read from Forwarded",
      1,
      { forwarded: 'for=6.6.6.6, for="[2001:db8::1]"' },
      "2001:db8:0:0::/64",
    ],
    ["is the peer if the proxy names no address", 1, {}, PROXY],
    ["is the peer if the proxy names it unknown", 1, forwardedFor("unknown"), PROXY],
    ["is the peer if the header is nonsense", 1, { forwarded: "nonsense" }, PROXY],
    ["is named by both", 1, { forwarded: "for=192.0.2.7", "x-forwarded-for": "192.0.2.7:80" }, "192.0.2.7"],
    ["is the peer if they disagree", 1, { forwarded: "for=6.6.6.6", "x-forwarded-for": "192.0.2.7" }, PROXY],
    ["is the peer if one is nonsense", 1, { forwarded: "=", "x-forwarded-for": "192.0.2.7" }, PROXY],
  ])("%s", (_, trustedProxies, headers, expected) => {
    expect(clientOf(trustedProxies, headers)).toBe(expected);
  });

  test("is a network for IPv6, and an address for IPv4 on a dual-stack socket", () => {
    expect(clientOf(0, {}, "2001:db8:1:2:3:4:5:6")).toBe(clientOf(0, {}, "2001:db8:1:2::1"));
    expect(clientOf(0, {}, "::ffff:192.0.2.7")).toBe("192.0.2.7");
  });
});

describe("whatever the headers say", () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.ipV4().map((ip) => `${ip}:4711`),
    fc.constantFrom("unknown", "_hidden", ""),
    fc.string({ unit: "binary-ascii" }),
  );
  const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

  test("hops quoted by a proxy are parsed back unchanged", () => {
    const hop = fc.option(
      address.map((text) => text.replaceAll(/[\r\n\u0085\u2028\u2029]/g, "")),
      { nil: undefined },
    );
    fc.assert(
      fc.property(
        fc.array(hop, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(",", ", ", " , \t"),
        (hops, comma) => {
          const header = hops
            .map((hop) => `proto=https${hop === undefined ? "" : `; For=${quote(hop)}`}`)
            .join(comma);
          expect(parseForwarded(header)).toEqual(hops);
        },
      ),
    );
  });

  test("the client is a network, and without a trusted proxy it is always the peer", () => {
    const header = fc.oneof(
      address,
      fc.array(address).map((all) => all.map((text) => `for=${text}`).join(",")),
    );
    fc.assert(
      fc.property(fc.nat(3), header, header, (trustedProxies, forwarded, forwardedFor) => {
        const client = clientOf(trustedProxies, { forwarded, "x-forwarded-for": forwardedFor });
        expect(client).toMatch(/^(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-f]{1,4}:){4}:\/64)$/);
        if (trustedProxies === 0) expect(client).toBe(PROXY);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["quotes that don't end", `for="${'\\"'.repeat(8_000)}`],
    ["names without values", "a".repeat(16_000)],
    ["spaces", `for=a${" ".repeat(16_000)}x`],
    ["hops", "for=a,".repeat(2_500)],
    ["commas", ",".repeat(16_000)],
    ["colons", `[${":".repeat(16_000)}]`],
  ])("16 KB of %s are parsed immediately", (_, header) => {
    const begun = process.cpuUsage();
    for (let times = 0; times < 20; times++) clientOf(1, { forwarded: header, "x-forwarded-for": header });
    expect(processorMs(begun)).toBeLessThan(1_000);
  });
});
