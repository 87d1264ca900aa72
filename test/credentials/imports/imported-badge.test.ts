import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { queueExpiryNotices } from "#domain/credentials/emails/queue-expiry-notices.js";
import { VerifiableCredentialFormat } from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { ImportedCredentialSchema } from "#gen/learning_credentials/v1/imported_credential_pb.js";
import { NEVER_ABORTS } from "#infrastructure/db/database.js";
import { verifiedByCore } from "../../badges/verifier-core.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { issuedPdf } from "../issued-pdf.js";

const PUBLIC = "https://imported.test";
const CREATED = new Date("2019-05-20T08:15:30Z");
const DAY_MS = 86_400_000;

const academy = givenAcademy({ signs: true, settings: { PUBLIC_URL: PUBLIC } });

type Foreign = MessageInitShape<typeof ImportedCredentialSchema>;

function foreign(username: string, more: Foreign = {}): Foreign & { verifyUuid: string } {
  return {
    verifyUuid: randomUUID(),
    username,
    userFullName: "Ada Lovelace",
    learningContextKey: COURSE,
    learningContextName: "Course One",
    credentialType: "Certificate",
    createTime: timestampFromDate(CREATED),
    issuer: "Old College",
    file: issuedPdf(username),
    ...more,
  };
}

async function* one(credential: Foreign) {
  yield { credentials: [credential], skipInvalid: true };
}
const take = (credential: Foreign) => academy.platform.importCredentials(one(credential));

async function credentialOf(username: string) {
  const { credentials } = await academy.credentials.listCredentials({ username });
  return academy.credentials.getCredential({ uuid: credentials[0]?.uuid ?? "" });
}

const badgeOf = async (uuid: string) => {
  const format = VerifiableCredentialFormat.JSON;
  const { content } = await academy.platform.getVerifiableCredential({ uuid, format });
  return JSON.parse(Buffer.from(content).toString());
};

test("an imported credential has a badge only if its import requests one, which names the original issuer", async () => {
  await take(foreign("ana"));
  const { uuid } = await credentialOf("ana");
  const refused = await badgeOf(uuid).catch((error) => ConnectError.from(error).rawMessage);
  expect(refused).toMatch(/issued elsewhere .*open_badge/);

  await take(foreign("ben", { openBadge: true }));
  const badge = await badgeOf((await credentialOf("ben")).uuid);
  expect(badge).toMatchObject({
    validFrom: "2019-05-20T08:15:30Z",
    credentialSubject: { achievement: { description: "Certificate: Course One (Old College)" } },
  });
  const verdict = await verifiedByCore(badge, (url) =>
    url.startsWith(`${PUBLIC}/`) ? academy.service.httpUrl + url.slice(PUBLIC.length) : undefined,
  );
  expect(verdict).toMatchObject({ errors: [], checks: { valid_signature: true, revocation_status: true } });
});

test("an imported credential may expire, or have expired, and causes no email", async () => {
  const later = timestampFromDate(new Date(Math.floor(Date.now() / 1000) * 1000 + DAY_MS));
  await take(foreign("cy", { expireTime: later, openBadge: true }));
  const valid = await credentialOf("cy");
  expect(valid).toMatchObject({ isExpired: false, expireTime: { seconds: later.seconds } });
  expect((await badgeOf(valid.uuid)).validUntil).toMatch(/^\d{4}-/);

  const over = foreign("dee", { expireTime: timestampFromDate(new Date(CREATED.getTime() + 365 * DAY_MS)) });
  await take(over);
  expect(await credentialOf("dee")).toMatchObject({ isExpired: true });
  const { invalidationReason } = await academy.platform.getCredentialMetadata({
    verifyUuid: over.verifyUuid,
  });
  expect(invalidationReason).toMatch(/^Expired on 2020-05-1\d\.$/);

  const { database } = academy.service.app;
  await queueExpiryNotices(database, NEVER_ABORTS);
  expect(await database.knex("credential_mails")).toEqual([]);
});

test("importing it again changes nothing, and another validity or badge is refused by name", async () => {
  const credential = foreign("eli", { openBadge: true });
  await take(credential);
  expect(await take(credential)).toMatchObject({ unchanged: 1 });
  const validUntil = timestampFromDate(new Date(CREATED.getTime() + 1000));
  const answer = await take({ ...credential, openBadge: false, expireTime: validUntil });
  expect(JSON.stringify(answer.rejected)).toContain("with a different expire_time, open_badge");
  const wrong = await take(foreign("fay", { expireTime: timestampFromDate(CREATED) }));
  expect(JSON.stringify(wrong.rejected)).toContain("it must be after create_time");
});
