import { readFile } from "node:fs/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { givenAcademy } from "../../support/academy.js";

const academy = givenAcademy({ settings: { TIME_ZONE: "Pacific/Kiritimati" } });

let learners = 0;

/** Issues to a new learner, under a configuration with these options. */
async function issue(options: Record<string, string>): Promise<Credential> {
  await academy.configure(options);
  const username = `learner.${learners++}`;
  return academy.issued(username);
}

/** Moves a credential's expiry to this interval from now, by the database's clock. */
async function moveExpiry({ uuid }: Credential, by: string): Promise<void> {
  await academy.service.app.database.knex.raw(
    "update credentials set created_at = created_at - interval '10 years', valid_until = now() + cast(? as interval) where uuid = ?",
    [by, uuid],
  );
}

/** Returns what each protocol reports about a credential. */
async function reported({ uuid, verifyUuid }: Credential) {
  const { service, credentials } = academy;
  const get = (path: string) => fetch(`${service.httpUrl}${path}`);
  const answer = await get(`/api/learning_credentials/v1/metadata/${verifyUuid}/`);
  const rest = (await answer.json()) as Record<string, string>;
  const connect = await service.client(CredentialService).getCredentialMetadata({ verifyUuid });
  const transport = createGrpcTransport({ baseUrl: `http://${service.grpcAddress}` });
  const grpc = await createClient(CredentialService, transport).getCredentialMetadata({ verifyUuid });
  const page = await (await get(`/verify/${verifyUuid}/`)).text();
  const inside = await credentials.getCredential({ uuid });
  return {
    rest: [rest.status, rest.invalidation_reason],
    fields: Object.keys(rest),
    connect: [connect.status, connect.invalidationReason],
    grpc: [grpc.status, grpc.invalidationReason],
    page: /<article class="card ([a-z]+)">/.exec(page)?.[1],
    title: /<h1>(.*?)<\/h1>/.exec(page)?.[1],
    inside: [inside.status, inside.isExpired],
  };
}

describe("a credential with an expiry date", () => {
  test("is valid until then, and has expired afterwards, over every protocol", async () => {
    const credential = await issue({ validity: "P2Y" });
    expect(credential.expireTime).toBeDefined();
    await moveExpiry(credential, "1 hour");
    const valid = await reported(credential);
    expect(valid).toMatchObject({
      rest: ["available", ""],
      connect: [CredentialStatus.AVAILABLE, ""],
      grpc: [CredentialStatus.AVAILABLE, ""],
      page: "genuine",
      inside: [CredentialStatus.AVAILABLE, false],
    });

    await moveExpiry(credential, "0 seconds");
    const reason = expect.stringMatching(/^Expired on \d{4}-\d\d-\d\d\.$/);
    const expired = await reported(credential);
    expect(expired).toEqual({
      rest: ["invalidated", reason],
      fields: valid.fields,
      connect: [CredentialStatus.INVALIDATED, reason],
      grpc: [CredentialStatus.INVALIDATED, reason],
      page: "expired",
      title: "This credential has expired",
      inside: [CredentialStatus.AVAILABLE, true],
    });
    expect(new Set([expired.rest[1], expired.connect[1], expired.grpc[1]]).size).toBe(1);
  });

  test("can still be downloaded after it has expired, but not after it was invalidated", async () => {
    const credential = await issue({ validity: "P1M" });
    const { uuid } = credential;
    await moveExpiry(credential, "-1 hour");
    const { url } = await academy.credentials.getDownloadUrl({ uuid });
    const answer = await fetch(new URL(new URL(url).pathname + new URL(url).search, academy.service.httpUrl));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    await academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
    await expect(academy.credentials.getDownloadUrl({ uuid })).rejects.toThrow(
      "The credential is invalidated: only an available one can be downloaded.",
    );
  });

  test("shows its last day in the document if the design contains it, and in the built-in one", async () => {
    const text = { text_elements: { end: { text: "until {valid_until} only", y: 300 } } };
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id: academy.configurationId,
        customOptions: { validity: "2097-08-31", ...text },
      },
    });
    const username = `learner.${learners++}`;
    const { uuid } = await academy.issued(username);
    const [file = ""] = await academy.filesOf(uuid);
    const said = (await readPdf(await readFile(file))).text;
    expect(said).toMatch(/until \S.*2097.* only/);
    expect(said.match(/2097/g)?.length).toBeGreaterThanOrEqual(2);
    const { expireTime: validUntil } = await academy.credentials.getCredential({ uuid });
    // In Kiritimati, 1 September begins on 31 August at 10:00 UTC.
    expect(Number(validUntil?.seconds)).toBe(Date.parse("2097-08-31T10:00:00Z") / 1000);
  });
});
