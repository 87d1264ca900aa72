import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { ImportedCredentialSchema } from "#gen/learning_credentials/v1/imported_credential_pb.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { refusal } from "../../support/refusal.js";
import { issuedPdf } from "../issued-pdf.js";

type Foreign = MessageInitShape<typeof ImportedCredentialSchema>;

const academy = givenAcademy();
const PDF = issuedPdf("as it was printed in 2019");

function foreign(username: string, more: Foreign = {}): Foreign & { verifyUuid: string } {
  return {
    verifyUuid: randomUUID(),
    username,
    userFullName: "Ada Lovelace",
    learningContextKey: COURSE,
    learningContextName: "Course One",
    credentialType: "Certificate",
    createTime: timestampFromDate(new Date("2019-05-20T08:15:30Z")),
    file: PDF,
    ...more,
  };
}

async function take(credentials: Foreign[], options: { dryRun?: boolean; skipInvalid?: boolean }) {
  async function* requests() {
    yield { credentials, ...options };
  }
  const { imported, unchanged, rejected } = await academy.platform.importCredentials(requests());
  return { imported, unchanged, rejected: rejected.map(({ index }) => index) };
}

const withdrawn = {
  status: CredentialStatus.INVALIDATED,
  invalidationReason: "Issued in error.",
  invalidateTime: timestampFromDate(new Date("2020-01-01T00:00:00Z")),
};

/** Each case has the rows that are rejected, and the number of unchanged ones. */
const cases: [string, (username: string) => Foreign[], number[], number][] = [
  ["two of one learner and type", (username) => [foreign(username), foreign(username)], [1], 0],
  [
    "two of one learner and type, one of them withdrawn",
    (username) => [foreign(username, withdrawn), foreign(username)],
    [],
    0,
  ],
  [
    "the same one three times, and once with another name",
    (username) => {
      const one = foreign(username);
      return [one, one, { ...one, userFullName: "Ada King" }, one];
    },
    [2],
    2,
  ],
  [
    "the same one, with a code that the first one lacks",
    (username) => {
      const one = foreign(username);
      const more = { ...one, aliases: [`code-${randomUUID()}`] };
      return [one, more, more];
    },
    [],
    1,
  ],
  [
    "two with one code, or one UUID",
    (username) => {
      const [uuid, aliases] = [randomUUID(), [`code-${randomUUID()}`]];
      return [
        foreign(`${username}-1`, { uuid, aliases }),
        foreign(`${username}-2`, { aliases }),
        foreign(`${username}-3`, { uuid }),
      ];
    },
    [1, 2],
    0,
  ],
  [
    "a rejected one before a correct one",
    (username) => [foreign(username, { file: new Uint8Array([1]) }), foreign(username)],
    [0],
    0,
  ],
];

test.each(cases)("a dry run reports what an import does: %s", async (_, of, rejected, unchanged) => {
  const credentials = of(`learner-${randomUUID()}`);
  const outcome = { imported: credentials.length - rejected.length - unchanged, unchanged, rejected };
  expect(await take(credentials, { dryRun: true, skipInvalid: true })).toEqual(outcome);
  expect(await take(credentials, { skipInvalid: true })).toEqual(outcome);
  const repeated = { imported: 0, unchanged: credentials.length - rejected.length, rejected };
  expect(await take(credentials, { dryRun: true, skipInvalid: true })).toEqual(repeated);
});

test("a dry run names the conflict of two credentials in it", async () => {
  const [one, other] = [foreign("ben"), foreign("ben")];
  expect(await refusal(take([one, other], { dryRun: true }))).toBe(
    `FailedPrecondition: Credential 1 (counted from 0): ${other.verifyUuid} can't be imported: an earlier credential of this import has the same learner, context and type, and is not INVALIDATED.`,
  );
});
