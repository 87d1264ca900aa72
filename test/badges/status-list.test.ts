import { decodeList } from "@digitalbazaar/vc-bitstring-status-list";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readStatusBit } from "#formats/badges/status-bit.js";
import { createStatusIndexes, LIST_SIZE } from "#formats/badges/status-index.js";
import { statusBits, statusListCredential } from "#formats/badges/status-list.js";

const secret = Buffer.alloc(32, 5);
const places = createStatusIndexes(secret);

test("all ids of a list have distinct positions, and consecutive ones are far apart", () => {
  const taken = new Uint8Array(LIST_SIZE);
  let distance = 0;
  for (let number = 0; number < LIST_SIZE; number++) {
    const { list, index } = places.of(3 * LIST_SIZE + number);
    if (list !== 3) throw new Error(`${number} is in list ${list}`);
    taken[index] = 1;
    if (number > 0) distance += Math.abs(index - places.of(3 * LIST_SIZE + number - 1).index);
  }
  expect(taken.every((one) => one === 1)).toBe(true);
  // Random positions are on average a third of the list apart.
  expect(distance / LIST_SIZE).toBeGreaterThan(LIST_SIZE / 4);
});

test("100,000 ids have different positions with any secret, wherever they are, and in no order", () => {
  const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const ids = fc.oneof(
    fc.record({ from: fc.nat(10 ** 9), step: fc.constant(1) }), // consecutive ids
    fc.record({ from: fc.nat(10 ** 9), step: fc.integer({ min: 2, max: 500 }) }), // ids from many lists
  );
  fc.assert(
    fc.property(anySecret, ids, (bytes, { from, step }) => {
      const { of } = createStatusIndexes(Buffer.from(bytes));
      const taken = new Set<number>();
      let [pairs, ascending] = [0, 0];
      let before = of(from);
      for (let number = 0; number < 100_000; number++) {
        const id = from + number * step;
        const place = of(id);
        if (place.list !== Math.floor(id / LIST_SIZE) || !(place.index >= 0 && place.index < LIST_SIZE))
          throw new Error(`${id} is at ${place.index} of list ${place.list}`);
        taken.add(place.list * LIST_SIZE + place.index);
        if (place.list === before.list && place.index !== before.index) {
          pairs++;
          if (place.index > before.index) ascending++;
        }
        before = place;
      }
      expect(taken.size).toBe(100_000);
      // For two consecutive credentials in a list, the later one has the lower position as often as the higher.
      if (pairs > 1000) expect(Math.abs(ascending / pairs - 0.5)).toBeLessThan(2 / Math.sqrt(pairs));
    }),
    { numRuns: 6 * Number(process.env.FUZZ_RUNS ?? 1) },
  );
});

test("an id past a list is in the next one, and each list and secret has its own order", () => {
  expect(places.of(LIST_SIZE - 1).list).toBe(0);
  expect(places.of(LIST_SIZE).list).toBe(1);
  const orders = [places, createStatusIndexes(secret), createStatusIndexes(Buffer.alloc(32, 6))].map((each) =>
    Array.from({ length: 100 }, (_, number) => each.of(number).index),
  );
  expect(orders[1]).toEqual(orders[0]);
  expect(orders[2]).not.toEqual(orders[0]);
  const next = Array.from({ length: 100 }, (_, number) => places.of(LIST_SIZE + number).index);
  expect(next).not.toEqual(orders[0]);
});

test.each([-1, 1.5, Number.NaN, 2 ** 53])("%s is not an id of a credential", (id) => {
  expect(() => places.of(id)).toThrow(RangeError);
});

test("an independent reader finds exactly the bits that are set", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(LIST_SIZE - 1), { maxLength: 50 }), async (revoked) => {
      const { encodedList } = statusListCredential({
        url: "https://credentials.example.org/status/0",
        issuer: "did:web:credentials.example.org",
        bits: statusBits(revoked),
        validFrom: new Date(0),
        validUntil: new Date(1),
        maxAge: 10,
      }).credentialSubject;
      const list = await decodeList({ encodedList });
      expect(list.length).toBe(LIST_SIZE);
      const requested = [...revoked, 0, LIST_SIZE - 1, ...revoked.map((index) => (index + 1) % LIST_SIZE)];
      for (const index of requested) {
        expect(list.getStatus(index)).toBe(revoked.includes(index));
        expect(readStatusBit(encodedList, index)).toBe(revoked.includes(index));
      }
    }),
    { numRuns: 20 * Number(process.env.FUZZ_RUNS ?? 1) },
  );
});

test.each([
  ["is not multibase", "H4sIAAAA", 0],
  ["is not compressed", "uAAAA", 0],
  ["has no such place", statusListOf([]), LIST_SIZE],
  ["is asked for no place", statusListOf([]), Number.NaN],
])("a list that %s gives no result", (_what, encodedList, index) => {
  expect(readStatusBit(encodedList, index)).toBeUndefined();
});

function statusListOf(revoked: number[]): string {
  const facts = {
    url: "u",
    issuer: "i",
    bits: statusBits(revoked),
    validFrom: new Date(0),
    validUntil: new Date(1),
    maxAge: 1,
  };
  return statusListCredential(facts).credentialSubject.encodedList;
}
