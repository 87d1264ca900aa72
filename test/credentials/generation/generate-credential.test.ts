import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { failLostCredentials } from "#domain/credentials/generation/generate-credential.js";
import { Problem } from "#foundation/errors.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { storeUnavailable } from "#infrastructure/files/store-unavailable.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { COURSE, givenAcademy } from "../../support/academy.js";

const academy = givenAcademy();

async function issued(
  username: string,
  fullName = `Learner ${username}`,
): Promise<{ uuid: string; id: number }> {
  await academy.enrol(username);
  await academy.report({ case: "learner", value: { username, fullName } });
  const { uuid } = await academy.issue(username);
  return { uuid, id: await academy.idOf(uuid) };
}

async function textOf(uuid: string): Promise<string> {
  const [path = ""] = await academy.filesOf(uuid);
  return (await readPdf(await readFile(path))).text;
}

/** Returns the credential, and expects that it is available with exactly one file, which it describes. */
async function availableWithOneFile(uuid: string): Promise<Credential> {
  const credential = await academy.credentials.getCredential({ uuid });
  expect(credential.status).toBe(CredentialStatus.AVAILABLE);
  const paths = await academy.filesOf(uuid);
  expect(paths).toHaveLength(1);
  const bytes = await readFile(paths[0] ?? "");
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(credential.fileSha256);
  expect(bytes.length).toBe(credential.fileSize);
  return credential;
}

/** Returns the HTTP status of public verification. */
async function verification({ verifyUuid }: Credential): Promise<number> {
  const path = `/api/learning_credentials/v1/metadata/${verifyUuid}/`;
  return (await fetch(academy.service.httpUrl + path)).status;
}

/** Creates a store that pauses before it stores a file, until it is released. */
function hesitantStore(): { files: Partial<FileStore>; reached: Promise<unknown>; goOn: () => void } {
  const store = new EventEmitter();
  const released = once(store, "released");
  return {
    files: {
      async put(...file) {
        store.emit("reached");
        await released;
        await academy.service.app.files.put(...file);
      },
    },
    reached: once(store, "reached"),
    goOn: () => store.emit("released"),
  };
}

describe("an attempt", () => {
  it("makes the credential available, with the hash and size of its file", async () => {
    const { uuid, id } = await issued("ready");
    expect(await verification(await academy.credentials.getCredential({ uuid }))).toBe(404);
    await academy.generate(id);
    expect(await verification(await availableWithOneFile(uuid))).toBe(200);
  });

  it.each([
    [false, false],
    [true, false],
    [true, true],
  ])(
    "concurrent with another leaves one file and one available credential (first runs: %s, %s)",
    async (...areFirst) => {
      const { uuid, id } = await issued(`contested ${areFirst.join(" ")}`);
      await Promise.all(areFirst.map((isFirstRun) => academy.generate(id, { isFirstRun })));
      await availableWithOneFile(uuid);
    },
  );

  it.each([true, false])(
    "that was superseded removes its own file and changes nothing (first run: %s)",
    async (isFirstRun) => {
      const { uuid, id } = await issued(`overtaken ${isFirstRun}`);
      const { files, reached, goOn } = hesitantStore();
      const late = academy.generate(id, { files, isFirstRun });
      await reached;
      await academy.generate(id);
      const available = await academy.credentials.getCredential({ uuid });
      const stored = await academy.filesOf(uuid);
      goOn();
      await late;
      expect(await academy.credentials.getCredential({ uuid })).toEqual(available);
      expect(await academy.filesOf(uuid)).toEqual(stored);
    },
  );

  it("that was superseded removes its own file, even if the store never confirmed it", async () => {
    const { uuid, id } = await issued("otto");
    const woken = academy.generate(id, {
      files: {
        async put(...file) {
          await academy.generate(id);
          await academy.service.app.files.put(...file);
          throw new Problem("unavailable", "nothing was received");
        },
      },
    });
    await expect(woken).rejects.toThrow("nothing was received");
    await availableWithOneFile(uuid);
  });

  it("that fails after another has succeeded changes nothing", async () => {
    const { uuid, id } = await issued("late failure");
    const { files, reached, goOn } = hesitantStore();
    const put: FileStore["put"] = async (...file) => {
      await files.put?.(...file);
      throw new Error("the disk is gone");
    };
    const late = academy.generate(id, { files: { put }, isLastAttempt: true });
    await reached;
    await academy.generate(id);
    goOn();
    await expect(late).rejects.toThrow("the disk is gone");
    await availableWithOneFile(uuid);
  });

  it.each([true, false])(
    "removes the file of an earlier attempt that died (first run: %s)",
    async (isFirstRun) => {
      const { uuid, id } = await issued(`died ${isFirstRun}`);
      const put: FileStore["put"] = async (...file) => {
        await academy.service.app.files.put(...file);
        throw new Error("killed");
      };
      await expect(academy.generate(id, { files: { put }, isFirstRun })).rejects.toThrow("killed");
      const left = await academy.filesOf(uuid);
      await academy.generate(id);
      const files = await academy.filesOf(uuid);
      expect([left.length, files.length]).toEqual([1, 1]);
      expect(files).not.toEqual(left);
    },
  );

  it("for a credential that is not generating does nothing", async () => {
    const { uuid, id } = await issued("done");
    await academy.generate(id);
    const before = [await academy.credentials.getCredential({ uuid }), await academy.filesOf(uuid)];
    await academy.generate(id);
    expect([await academy.credentials.getCredential({ uuid }), await academy.filesOf(uuid)]).toEqual(before);
    await academy.generate(999_999);
  });
});

describe("a credential that failed and was issued again", () => {
  it("is not generated from its old contents by a worker that resumes late", async () => {
    const { uuid, id } = await issued("renamed", "Old Name");
    const { files, reached, goOn } = hesitantStore();
    const late = academy.generate(id, { files });
    await reached;
    await failLostCredentials(academy.service.app.database, [id]);
    await academy.report({ case: "learner", value: { username: "renamed", fullName: "New Name" } });
    await academy.issue("renamed");
    goOn();
    await late;
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.GENERATING);
    expect(await academy.filesOf(uuid)).toEqual([]);
    await academy.generate(uuid);
    expect(await textOf(uuid)).toContain("New Name");
  });

  it("does not fail because its earlier job is found lost", async () => {
    const { uuid, id } = await issued("revived");
    await academy.fail(uuid);
    await academy.issue("revived");
    await failLostCredentials(academy.service.app.database, [id]);
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.GENERATING);
  });

  it("comes last in the order of issuing", async () => {
    const first = await issued("order 1");
    const second = await issued("order 2");
    await academy.fail(first.uuid);
    await academy.issue("order 1");
    const { credentials } = await academy.credentials.listCredentials({ pageSize: 1000 });
    const order = credentials
      .map(({ uuid }) => uuid)
      .filter((uuid) => [first.uuid, second.uuid].includes(uuid));
    expect(order).toEqual([second.uuid, first.uuid]);
  });
});

describe("an outage", () => {
  it.each([
    ["of the store", storeUnavailable(new Error("ENOSPC: /srv/secret/path"))],
    ["of the database", Object.assign(new Error("the database is shutting down"), { code: "57P01" })],
  ])("%s leaves the credential generating, also at the last attempt", async (what, fault) => {
    const { uuid, id } = await issued(`unstored, for an outage ${what}`);
    const files: Partial<FileStore> = { put: () => Promise.reject(fault) };
    for (const isLastAttempt of [false, true]) {
      await expect(academy.generate(id, { files, isLastAttempt })).rejects.toBe(fault);
      const waiting = await academy.credentials.getCredential({ uuid });
      expect(waiting).toMatchObject({ status: CredentialStatus.GENERATING, errorReason: "" });
    }
    await academy.generate(id);
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.AVAILABLE);
  });
});

describe("any other kind of fault", () => {
  it.each([
    [
      "what it says for callers",
      new Problem("unavailable", "The document took more than 20 s."),
      "The document took more than 20 s.",
    ],
    [
      "nothing of what it says for the log",
      new Error("a bug: /srv/secret/path, select * from credentials"),
      "The document could not be generated: see the service's log.",
    ],
  ])("is retried, and finally leaves an error with %s", async (what, fault, reason) => {
    const { uuid, id } = await issued(`unmade ${what}`);
    const files: Partial<FileStore> = { put: () => Promise.reject(fault) };
    await expect(academy.generate(id, { files })).rejects.toBe(fault);
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.GENERATING);
    await expect(academy.generate(id, { files, isLastAttempt: true })).rejects.toBe(fault);
    const failed = await academy.credentials.getCredential({ uuid });
    expect(failed).toMatchObject({ status: CredentialStatus.ERROR, errorReason: reason, fileSize: 0 });
    expect(await verification(failed)).toBe(404);
    expect(await academy.filesOf(uuid)).toEqual([]);
  });
});

it("ends in an error immediately, naming a character that no font has", async () => {
  const { uuid, id } = await issued("unprintable");
  // A credential with this name may have been issued where other fonts were installed. This service would not issue it.
  const userFullName = "Ana \u{10FFFD} Kovač";
  await academy.service.app.database
    .knex("credentials")
    .where({ id })
    .update({ user_full_name: userFullName });
  await academy.generate(id);
  expect(await academy.credentials.getCredential({ uuid })).toMatchObject({
    status: CredentialStatus.ERROR,
    errorReason: expect.stringMatching(/No font can print .*U\+10FFFD.*full name/),
  });
});

it("ends in an error when its worker died at every attempt", async () => {
  const [lost, done] = [await issued("lost"), await issued("not lost")];
  await academy.generate(done.id);
  await failLostCredentials(academy.service.app.database, [lost.id, done.id]);
  expect(await academy.credentials.getCredential({ uuid: lost.uuid })).toMatchObject({
    status: CredentialStatus.ERROR,
    errorReason: "The worker stopped unexpectedly in every attempt to generate the document.",
  });
  expect((await academy.credentials.getCredential({ uuid: done.uuid })).status).toBe(
    CredentialStatus.AVAILABLE,
  );
});

it("prints the facts as they were at issue", async () => {
  const { uuid, id } = await issued("printed", "Name Then");
  await academy.report(
    { case: "learner", value: { username: "printed", fullName: "Name Now" } },
    { case: "course", value: { courseKey: COURSE, displayName: "Course Now" } },
  );
  await academy.generate(id);
  const text = await textOf(uuid);
  expect(text).toContain("Name Then");
  expect(text).toContain("Course One");
  expect(text).not.toContain("Now");
});
