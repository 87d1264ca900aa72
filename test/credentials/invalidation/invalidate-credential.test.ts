import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { work } from "#app/work.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { type Academy, givenAcademy } from "../../support/academy.js";
import { stopHealthy } from "../../support/health.js";
import { refusal } from "../../support/refusal.js";

const { AVAILABLE, INVALIDATED } = CredentialStatus;
const REASON = "Issued in error.";
const UNGUESSABLE = /^[0-9a-f]{32}\.pdf$/;

/** Returns functions that read a credential without a token: its public verification and a saved link. */
function publicOf({ service }: Academy) {
  return {
    async metadata({ verifyUuid }: Credential): Promise<[status: number, body: unknown]> {
      const response = await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`);
      return [response.status, await response.json()];
    },
    download: async (url: string): Promise<number> =>
      (await fetch(url.replace("https://credentials.test", service.httpUrl))).status,
  };
}

// On a busy machine, the first document takes some time.
describe("with a worker", { timeout: 180_000 }, () => {
  const academy = givenAcademy({ worker: true }, stopHealthy);

  it("verification reports an invalidated credential, and nobody can download it any more", async () => {
    const { credentials, configurationId } = academy;
    const { metadata, download } = publicOf(academy);
    await academy.enrol("ana");
    const { uuid } = await credentials.issueCredential({ configurationId, username: "ana" });
    const status = async () => (await credentials.getCredential({ uuid })).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(AVAILABLE);
    // The credential has a waiting email until a job has found that the learner has no address.
    await expect.poll(async () => (await credentials.getCredential({ uuid })).email).toBeUndefined();
    const available = await credentials.getCredential({ uuid });
    const { url } = await credentials.getDownloadUrl({ uuid });
    expect(await download(url)).toBe(200);

    const invalidated = await credentials.invalidateCredential({ uuid, reason: REASON });
    expect(await metadata(available)).toEqual([
      200,
      {
        user_full_name: "Learner ana",
        created: new Date(Number(available.createTime?.seconds) * 1000).toISOString().replace(".000", ""),
        learning_context_name: "Course One",
        status: "invalidated",
        invalidation_reason: REASON,
      },
    ]);
    expect(invalidated).toEqual({
      ...available,
      status: INVALIDATED,
      invalidationReason: REASON,
      hasOpenBadge: false,
      invalidateTime: expect.anything(),
    });
    expect(Math.abs(Date.now() / 1000 - Number(invalidated.invalidateTime?.seconds))).toBeLessThan(60);
    expect(await refusal(credentials.getDownloadUrl({ uuid }))).toBe(
      "FailedPrecondition: The credential is invalidated: only an available one can be downloaded.",
    );

    await expect.poll(() => download(url)).toBe(404);
    await expect.poll(() => academy.filesOf(uuid, "_invalidated")).toHaveLength(1);
    expect(await academy.filesOf(uuid)).toEqual([]);
    const [path = ""] = await academy.filesOf(uuid, "_invalidated");
    expect(basename(path)).toMatch(UNGUESSABLE);
    const bytes = await readFile(path);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(available.fileSha256);
    expect(await credentials.getCredential({ uuid })).toEqual(invalidated);
  });
});

describe("step by step", () => {
  const academy = givenAcademy();
  beforeEach(() => academy.service.app.database.knex.raw("delete from jobs"));

  const invalidate = (uuid: string, reason = REASON) =>
    academy.credentials.invalidateCredential({ uuid, reason });

  async function issued(username: string): Promise<Credential> {
    await academy.enrol(username);
    return academy.issue(username);
  }

  async function available(username: string): Promise<Credential> {
    const { uuid } = await issued(username);
    await academy.generate(uuid);
    return academy.credentials.getCredential({ uuid });
  }

  /** Returns the queued tasks in the order in which they will run. */
  async function queue(): Promise<string[]> {
    const { rows } = await academy.service.app.database.knex.raw(
      "select task from jobs order by priority, run_at, id",
    );
    return rows.map(({ task }: { task: string }) => task);
  }

  /** Returns the file's location according to the row, the moved files, and the downloadable files. */
  async function places(uuid: string) {
    const [{ file_key: key }] = await academy.service.app.database.knex("credentials").where({ uuid });
    const names = async (where: "" | "_invalidated") =>
      (await academy.filesOf(uuid, where)).map((it) => basename(it));
    return { key: basename(key), kept: await names(""), away: await names("_invalidated") };
  }

  async function expectMoved(uuid: string): Promise<string> {
    const { key, kept: stored, away } = await places(uuid);
    expect(key).toMatch(UNGUESSABLE);
    expect({ kept: stored, away }).toEqual({ kept: [], away: [key] });
    return key;
  }

  describe("invalidating", () => {
    it("makes one change for 20 simultaneous calls with the same reason, and its move precedes queued jobs", async () => {
      const { uuid } = await available("same reason");
      await academy.service.app.database.knex.raw("delete from jobs");
      await issued("waiting");
      const answers = await Promise.all(Array.from({ length: 20 }, () => invalidate(uuid)));
      expect(answers.every(({ status }) => status === INVALIDATED)).toBe(true);
      expect(
        new Set(
          answers.map(({ invalidateTime: invalidated }) => `${invalidated?.seconds} ${invalidated?.nanos}`),
        ).size,
      ).toBe(1);
      expect(await queue()).toEqual(["move_file", "generate_credential", "send_mail"]);
      expect(await invalidate(uuid.toUpperCase())).toEqual(answers[0]);
    });

    it("of 20 simultaneous calls with different reasons accepts one, and reports its reason to the others", async () => {
      const { uuid } = await available("other reasons");
      const calls = await Promise.all(
        Array.from({ length: 20 }, (_, index) => refusal(invalidate(uuid, `Reason ${index}.`))),
      );
      const { invalidationReason } = await academy.credentials.getCredential({ uuid });
      expect(calls.sort()).toEqual([
        ...Array(19).fill(
          `FailedPrecondition: The credential was already invalidated, for a different reason: "${invalidationReason}".`,
        ),
        "it was answered",
      ]);
    });

    it("records the actor", async () => {
      const { uuid } = await available("by whom");
      await invalidate(uuid);
      const [row] = await academy.service.app.database.knex("credentials").where({ uuid });
      expect(row.invalidated_by).toBe("registrar");
    });

    it("is refused if the credential is not available, and leaves no trace", async () => {
      const generating = await issued("generating");
      const failed = await issued("failed");
      await academy.fail(failed.uuid);
      const refused = (status: string) =>
        `FailedPrecondition: The credential ${status}: only an available one can be invalidated.`;
      expect(await refusal(invalidate(generating.uuid))).toBe(refused("is generating"));
      expect(await refusal(invalidate(failed.uuid))).toBe(refused("has failed"));
      expect((await academy.credentials.getCredential({ uuid: generating.uuid })).status).toBe(
        generating.status,
      );
      for (const uuid of ["", "x", generating.verifyUuid])
        expect(await refusal(invalidate(uuid))).toBe("NotFound: Credential not found.");
      expect(await queue()).not.toContain("move_file");
    });

    it.each([
      ["", "reason is empty."],
      [" \u00a0", "reason is blank."],
      ["x".repeat(256), "reason has 256 characters; at most 255 are accepted."],
      ["two\nlines", "reason contains the control character U+000A."],
    ])("is refused for the reason %j", async (reason, message) => {
      const { uuid } = await available(`reason ${message}`);
      expect(await refusal(invalidate(uuid, reason))).toBe(`InvalidArgument: ${message}`);
      expect((await academy.credentials.getCredential({ uuid })).status).toBe(AVAILABLE);
    });

    it("takes a reason of 255 characters of any script", async () => {
      const { uuid, verifyUuid } = await available("long reason");
      const reason = "𝔛".repeat(255);
      expect((await invalidate(uuid, reason)).invalidationReason).toBe(reason);
      const [, body] = await publicOf(academy).metadata({ verifyUuid } as Credential);
      expect(body).toMatchObject({ invalidation_reason: reason });
    });
  });

  describe("the move of the file", () => {
    async function invalidated(username: string): Promise<Credential> {
      const { uuid } = await available(username);
      return invalidate(uuid);
    }

    it("starts after verification reports the invalidation", async () => {
      const credential = await invalidated("not begun");
      expect((await publicOf(academy).metadata(credential))[1]).toMatchObject({ status: "invalidated" });
      expect((await places(credential.uuid)).away).toEqual([]);
    });

    it.each<[string, (move: FileStore["move"]) => FileStore["move"]]>([
      [
        "before the store was asked",
        () => async () => {
          throw new Error("killed");
        },
      ],
      [
        "when the store had done it, before the row said so",
        (move) => async (from, to) => {
          await move(from, to);
          throw new Error("killed");
        },
      ],
    ])(
      "that dies %s is completed by the next run, at the destination recorded first",
      async (when, fault) => {
        const { uuid } = await invalidated(when);
        const targets: string[] = [];
        const { files } = academy.service.app;
        const faulty = fault(files.move);
        const dying = async (from: string, to: string) => {
          targets.push(basename(to));
          return faulty(from, to);
        };
        await expect(academy.moveFile(uuid, { move: dying })).rejects.toThrow("killed");
        await expect(academy.moveFile(uuid, { move: dying })).rejects.toThrow("killed");
        await academy.moveFile(uuid);
        const key = await expectMoved(uuid);
        expect(targets).toEqual([key, key]);
        await academy.moveFile(uuid);
        expect(await expectMoved(uuid)).toBe(key);
      },
    );

    it("twice at once leaves one file", async () => {
      const { uuid } = await invalidated("twice");
      await Promise.all([academy.moveFile(uuid), academy.moveFile(uuid)]);
      await expectMoved(uuid);
    });

    it("by a worker that resumes after another has finished changes nothing", async () => {
      const { uuid } = await invalidated("late");
      const { files } = academy.service.app;
      await academy.moveFile(uuid, {
        async move(from, to) {
          await academy.moveFile(uuid);
          return files.move(from, to);
        },
      });
      await expectMoved(uuid);
    });

    it("of a missing file ends", async () => {
      const { uuid } = await invalidated("gone");
      for (const path of await academy.filesOf(uuid)) await rm(path);
      await academy.moveFile(uuid);
      expect(await places(uuid)).toMatchObject({ kept: [], away: [] });
    });

    it("that has failed in every attempt is enqueued again: the file does not stay public", async () => {
      const { uuid } = await invalidated("given up");
      await academy.service.app.database.knex.raw(
        "update jobs set attempts = max_attempts where payload->>'credentialUuid' = ?",
        [uuid],
      );
      const worker = work(academy.service.app);
      onTestFinished(() => worker.stop());
      await expect.poll(async () => (await places(uuid)).away).toHaveLength(1);
      await expect.poll(async () => (await places(uuid)).key).toBe((await places(uuid)).away[0]);
      await expectMoved(uuid);
    });

    it("leaves a valid credential unchanged, and ignores one that does not exist", async () => {
      const { uuid } = await available("in force");
      await academy.moveFile(uuid);
      await academy.moveFile("00000000-0000-4000-8000-000000000000");
      expect(await academy.filesOf(uuid)).toHaveLength(1);
      expect((await academy.credentials.getDownloadUrl({ uuid })).url).not.toBe("");
    });
  });
});
