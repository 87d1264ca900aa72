import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { refusal } from "../support/refusal.js";
import { tokenOf } from "../support/service.js";

const { GENERATING, AVAILABLE, ERROR, INVALIDATED } = CredentialStatus;
const academy = givenAcademy({ worker: true });

const issue = (username: string): Promise<Credential> => academy.issue(username);

function settled(uuid: string): Promise<Credential> {
  return vi.waitFor(
    async () => {
      const credential = await academy.credentials.getCredential({ uuid });
      expect(credential.status).not.toBe(GENERATING);
      return credential;
    },
    { timeout: 40_000 },
  );
}

/** Fetches a public address from this service instead of from its public host. */
async function fetchPublic(url: string): Promise<Response> {
  return fetch(url.replace("https://credentials.test", academy.service.httpUrl));
}

describe("a credential", () => {
  it("is issued once to 50 concurrent callers, has one file, can be verified by anyone and downloaded whole", async () => {
    await academy.enrol("ana");
    const answers = await Promise.all(Array.from({ length: 50 }, () => issue("ana")));
    const said = answers.map(
      ({ uuid, verifyUuid, createTime: created }) => `${uuid} ${verifyUuid} ${created?.seconds}`,
    );
    expect(new Set(said).size).toBe(1);
    const credential = await settled(answers[0]?.uuid ?? "");
    expect(credential.status).toBe(AVAILABLE);
    expect(await academy.filesOf(credential.uuid)).toHaveLength(1);
    await expect.poll(() => academy.jobs()).toEqual([]);

    const metadata = await fetchPublic(
      `https://credentials.test/api/learning_credentials/v1/metadata/${credential.verifyUuid}/`,
    );
    expect(await metadata.json()).toEqual({
      user_full_name: "Learner ana",
      created: new Date(Number(credential.createTime?.seconds) * 1000).toISOString().replace(".000", ""),
      learning_context_name: "Course One",
      status: "available",
      invalidation_reason: "",
    });

    const { url, expireTime } = await academy.credentials.getDownloadUrl({ uuid: credential.uuid });
    expect(Number(expireTime?.seconds)).toBeGreaterThan(Date.now() / 1000);
    const download = await fetchPublic(url);
    expect([download.status, download.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const bytes = Buffer.from(await download.arrayBuffer());
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(credential.fileSha256);
    expect(bytes.length).toBe(credential.fileSize);
    expect((await fetchPublic(url.replace("signature=", "signature=A"))).status).not.toBe(200);
  });

  it("can be downloaded and verified only in the statuses that permit it", async () => {
    const seen: Record<string, [download: string, verification: number]> = {};
    const look = async (name: string, { uuid, verifyUuid }: Credential) => {
      const path = `/api/learning_credentials/v1/metadata/${verifyUuid}/`;
      const { status } = await fetch(academy.service.httpUrl + path);
      seen[name] = [await refusal(academy.credentials.getDownloadUrl({ uuid })), status];
    };
    await academy.enrol("ben");
    const { knex } = academy.service.app.database;
    const credential = await settled((await issue("ben")).uuid);
    await look("available", credential);
    const file = await knex("credentials")
      .where({ uuid: credential.uuid })
      .first("file_key", "file_sha256", "file_size");
    const noFile = { file_key: null, file_sha256: null, file_size: null };
    const set = (changes: object) => knex("credentials").where({ uuid: credential.uuid }).update(changes);
    await set({ status: "generating", ...noFile });
    await look("generating", credential);
    await set({ status: "error", error_reason: "It failed." });
    await look("error", credential);
    const invalidation = {
      invalidation_reason: "Wrong.",
      invalidated_at: new Date(),
      invalidated_by: "registrar",
    };
    await set({ status: "invalidated", error_reason: "", ...invalidation, ...file });
    await look("invalidated", credential);
    const refused = (status: string) =>
      `FailedPrecondition: The credential ${status}: only an available one can be downloaded.`;
    expect(seen).toEqual({
      available: ["it was answered", 200],
      generating: [refused("is generating"), 404],
      error: [refused("has failed"), 404],
      invalidated: [refused("is invalidated"), 200],
    });
  });

  it("with an unknown UUID is not found, nor by its public UUID", async () => {
    await academy.enrol("cleo");
    const { verifyUuid } = await issue("cleo");
    for (const uuid of ["", "x", verifyUuid, "00000000-0000-4000-8000-000000000000"]) {
      expect(await refusal(academy.credentials.getCredential({ uuid }))).toBe(
        "NotFound: Credential not found.",
      );
      expect(await refusal(academy.credentials.getDownloadUrl({ uuid }))).toBe(
        "NotFound: Credential not found.",
      );
    }
  });
});

describe("the lists", () => {
  /** `<username> <status>` */
  const shown = (credentials: readonly Credential[]) =>
    credentials.map(({ username, status }) => `${username} ${CredentialStatus[status]}`);

  beforeAll(async () => {
    await academy.enrol("list 1", "list 2", "list 3");
    const issued = [];
    for (const username of ["list 1", "list 2", "list 3"])
      issued.push(await settled((await issue(username)).uuid));
    const { knex } = academy.service.app.database;
    await knex("credentials")
      .where({ uuid: issued[1]?.uuid })
      .update({ status: "error", error_reason: "x", file_key: null, file_sha256: null, file_size: null });
    await academy.invalidate(issued[2]?.uuid ?? "");
    await settled((await issue("list 3")).uuid);
  });

  it("are filtered by each given field", async () => {
    const list = async (filter: object) => {
      const { credentials } = await academy.credentials.listCredentials({ pageSize: 1000, ...filter });
      return shown(credentials.filter(({ username }) => username.startsWith("list")));
    };
    const all = ["list 1 AVAILABLE", "list 2 ERROR", "list 3 INVALIDATED", "list 3 AVAILABLE"];
    expect(await list({})).toEqual(all);
    expect(await list({ username: "list 3" })).toEqual(all.slice(2));
    expect(await list({ username: "list 3", status: INVALIDATED })).toEqual(["list 3 INVALIDATED"]);
    expect(await list({ status: ERROR })).toEqual(["list 2 ERROR"]);
    expect(await list({ learningContextKey: COURSE, configurationId: academy.configurationId })).toEqual(all);
    expect(await list({ learningContextKey: "course-v1:Other+1+1" })).toEqual([]);
    expect(await list({ configurationId: 999 })).toEqual([]);
    expect(await list({ username: "nobody" })).toEqual([]);
  });

  it.each([1, 2, 3, 100])("come in pages of %i, with each credential once", async (pageSize) => {
    const whole = await academy.credentials.listCredentials({ pageSize: 1000 });
    const read: Credential[] = [];
    let pageToken = "";
    do {
      const page = await academy.credentials.listCredentials({ pageSize, pageToken });
      expect(page.credentials.length).toBeLessThanOrEqual(pageSize);
      read.push(...page.credentials);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(read).toEqual(whole.credentials);
  });

  it("accept only page tokens of their own", async () => {
    const { nextPageToken } = await academy.credentials.listCredentials({ pageSize: 1 });
    const misused = academy.credentials.listCredentials({ pageToken: nextPageToken, username: "list 1" });
    expect(await refusal(misused)).toContain("InvalidArgument: page_token is not a token of this list");
  });

  it("of a learner contain only their own, without failed ones", async () => {
    const mine = async (username: string) => {
      const client = academy.service.client(CredentialService, await tokenOf({ username }));
      return shown((await client.listMyCredentials({})).credentials);
    };
    expect(await mine("list 1")).toEqual(["list 1 AVAILABLE"]);
    expect(await mine("list 2")).toEqual([]);
    expect(await mine("list 3")).toEqual(["list 3 INVALIDATED", "list 3 AVAILABLE"]);
    expect(await mine("nobody")).toEqual([]);
  });

  it("of a learner start with the newest on each page, if requested", async () => {
    const client = academy.service.client(CredentialService, await tokenOf({ username: "list 3" }));
    const first = await client.listMyCredentials({ newestFirst: true, pageSize: 1 });
    const pageToken = first.nextPageToken;
    const second = await client.listMyCredentials({ newestFirst: true, pageSize: 1, pageToken });
    expect(shown([...first.credentials, ...second.credentials])).toEqual([
      "list 3 AVAILABLE",
      "list 3 INVALIDATED",
    ]);
    expect(second.nextPageToken).toBe("");
    expect(await refusal(client.listMyCredentials({ pageToken }))).toContain(
      "page_token is not a token of this list",
    );
  });
});
