import { createHash, randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { givenS3, type S3Endpoint } from "../../files/s3/endpoints.js";
import { openAcademy } from "../../support/academy.js";
import { expectHealthy } from "../../support/health.js";

const given = givenS3();

/** Maximum time for which the file of an invalidated credential may still be downloaded. */
const LIMIT_MS = 5_000;

test.skipIf(!given)(
  "on an S3 that checks signatures, an invalidated file moves, and its signed link is refused within 5 seconds",
  { timeout: 90_000 },
  async () => {
    const settings = { ...(given as S3Endpoint).settings, S3_BUCKET: `credentials-${randomUUID()}` };
    const { service, credentials, configurationId, enrol } = await openAcademy({ worker: true, settings });
    onTestFinished(service.stop);
    await enrol("ana");
    const { uuid } = await credentials.issueCredential({ configurationId, username: "ana" });
    const status = async () => (await credentials.getCredential({ uuid })).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(CredentialStatus.AVAILABLE);
    const { fileSha256 } = await credentials.getCredential({ uuid });
    const { url } = await credentials.getDownloadUrl({ uuid });
    const file = await fetch(url);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(file.status).toBe(200);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(fileSha256);

    await credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    const download = async () => (await fetch(url)).status;
    await expect.poll(download, { timeout: LIMIT_MS, interval: 50 }).toBe(404);
    const rowOf = () => service.app.database.knex("credentials").where({ uuid }).first();
    await expect
      .poll(async () => (await rowOf()).file_key)
      .toMatch(new RegExp(`^learning_credentials_invalidated/${uuid}/[0-9a-f]{32}\\.pdf$`));
    const moved = await service.app.files.digest((await rowOf()).file_key);
    expect(moved).toEqual({ sha256: fileSha256, size: bytes.length });
    await expectHealthy(service);
  },
);
