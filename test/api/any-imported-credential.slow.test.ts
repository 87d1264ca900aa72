import { randomUUID } from "node:crypto";
import { ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { issuedPdf } from "../credentials/issued-pdf.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { stopHealthy } from "../support/health.js";

/** `FUZZ_RUNS=50` runs fifty times as many cases; a failure prints its seed. */
const MORE = Number(process.env.FUZZ_RUNS ?? 1);
const { AVAILABLE, INVALIDATED, GENERATING, UNSPECIFIED } = CredentialStatus;

const academy = givenAcademy({}, stopHealthy);

const text = fc.oneof(
  fc.constantFrom("", " ", "a\u0000", "a\nb", "__proto__", "x".repeat(256), "🎓".repeat(255)),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 30 }).map((text) => text.toWellFormed()),
);
const seconds = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt({ min: 0n, max: 1_700_000_000n }) },
  fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
const moment = fc.record({
  seconds,
  nanos: fc.oneof(fc.constant(0), fc.integer({ min: -1, max: 1_000_000_000 })),
});
const mostly = <T>(value: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, other);
const likely = {
  verifyUuid: fc.oneof({ weight: 8, arbitrary: fc.uuid() }, text),
  legacyId: mostly("", text),
  userFullName: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("Ada", "Ada 👩‍🎓", "محمد", "__proto__") },
    text,
  ),
  learningContextKey: mostly(COURSE, text),
  learningContextName: mostly("One\nTwo", text),
  credentialType: mostly("Certificate", text),
  createTime: fc.option(moment, { nil: undefined, freq: 9 }),
  file: mostly(
    issuedPdf("x"),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  ),
};
const foreign = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ...likely, status: fc.constantFrom(UNSPECIFIED, AVAILABLE) }) },
  fc.record({
    ...likely,
    status: fc.constantFrom(INVALIDATED, GENERATING, AVAILABLE, 77 as CredentialStatus),
    invalidationReason: text,
    invalidateTime: fc.option(moment, { nil: undefined }),
  }),
);

/** Removes the characters that an import may remove: white space, direction controls and noncharacters. */
const bare = (text = "") => text.replace(/[\s\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu, "");

let sent = 0;

test("each is imported as sent, or refused with its position", { timeout: 60_000 * MORE }, async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(foreign, { minLength: 1, maxLength: 12 }), async (all) => {
      const credentials = all.map((each) => ({ ...each, username: `learner ${++sent}` })) as Parameters<
        typeof each
      >[0];
      const { received, imported, unchanged, rejectedCount, rejected } =
        await academy.platform.importCredentials(each(credentials));
      expect(received).toBe(all.length);
      expect(imported + unchanged + rejectedCount).toBe(all.length);
      expect(rejected).toHaveLength(rejectedCount);
      for (const [index, credential] of credentials.entries()) {
        const rejection = rejected.find((each) => each.index === index);
        const { credentials: found } = await academy.credentials.listCredentials({
          username: credential.username ?? "",
        });
        if (rejection) {
          expect(rejection.reason).toMatch(/^.{10,2000}$/s);
          expect(found).toEqual([]);
          continue;
        }
        taken++;
        expect(found).toHaveLength(1);
        expect(found[0]).toMatchObject({
          verifyUuid: credential.verifyUuid?.toLowerCase(),
          learningContextKey: COURSE,
          status: credential.status === INVALIDATED ? INVALIDATED : AVAILABLE,
          createTime: { seconds: credential.createTime?.seconds },
        });
        const { userFullName = "", learningContextName = "" } = found[0] ?? {};
        expect(bare(userFullName)).toBe(bare(credential.userFullName));
        expect(bare(learningContextName)).toBe(bare(credential.learningContextName));
        const read = await academy.platform
          .getCredentialMetadata({ verifyUuid: credential.verifyUuid ?? "" })
          .catch(ConnectError.from);
        expect(read).toMatchObject({ userFullName, createTime: { nanos: 0 } });
      }
    }),
    { numRuns: 12 * MORE, endOnFailure: true },
  );
  expect(taken).toBeGreaterThan(0);
});

test("a fraction of a second is cut off, not rounded up", async () => {
  const created = { seconds: 1_700_000_000n, nanos: 999_999_999 };
  const username = `learner ${++sent}`;
  const credential = { username, verifyUuid: randomUUID(), userFullName: "Ada", learningContextKey: COURSE };
  const { imported } = await academy.platform.importCredentials(
    each([
      {
        ...credential,
        learningContextName: "One",
        credentialType: "Certificate",
        createTime: created,
        file: issuedPdf("x"),
      },
    ]),
  );
  expect(imported).toBe(1);
  const { credentials } = await academy.credentials.listCredentials({ username });
  expect(credentials[0]?.createTime).toMatchObject({ seconds: created.seconds, nanos: 0 });
});

type Foreign = NonNullable<
  Parameters<typeof academy.platform.importCredentials>[0] extends AsyncIterable<infer T> ? T : never
>;
async function* each(credentials: Foreign["credentials"] & object): AsyncGenerator<Foreign> {
  yield { credentials, skipInvalid: true };
}
