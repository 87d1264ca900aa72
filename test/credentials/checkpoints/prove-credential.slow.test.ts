import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import {
  continueLog,
  type PublishingDeps,
  publishCheckpoint,
} from "#domain/credentials/checkpoints/publish-checkpoint.js";
import { openLogSigning } from "#domain/keys/log-signing.js";
import { checkProof } from "#edges/pages/browser/check-proof.js";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { writeKey } from "#formats/transparency/note.js";
import { readLogProof } from "#formats/transparency/proof.js";
import { type Authority, openAuthority, openTsa, type Tsa } from "../../sealing/authority.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { BUILT_MAIN } from "../../support/built-main.js";
import { given } from "../../support/given.js";
import { findingsOn } from "../../support/health.js";
import { buildGo } from "../../transparency/build-go.js";
import { seal, sealAll } from "../events/chain.js";

const execute = promisify(execFile);

const place = given<{
  authority: Authority;
  tsa: Tsa;
  academy: Academy;
  deps: PublishingDeps;
  directory: string;
}>(
  async () => {
    const authority = await openAuthority();
    const tsa = await openTsa(authority.directory, await authority.issueTsa("tsa"));
    const keyFile = join(authority.directory, "log.pem");
    await writeFile(keyFile, newSigningKey("Ed25519"));
    const settings = { LOG_KEY_FILE: keyFile, TSA_URLS: tsa.url, TSA_CA_FILE: authority.caFile };
    const academy = await openAcademy({ signs: true, settings });
    const { app } = academy.service;
    const signing = await openLogSigning(app.config, [], { log: { warn() {} }, timestamp() {} });
    if (!signing) throw new Error("the settings name no key");
    const deps = { ...app, outputDir: app.config.outputDir, publicUrl: app.publicUrl, signing };
    return { authority, tsa, academy, deps, directory: authority.directory };
  },
  async ({ authority, tsa, academy }) => {
    await academy.service.stop();
    await tsa.close();
    await authority.remove();
  },
);

const knex = () => place.academy.service.app.database.knex;
const { signal } = new AbortController();

async function publish() {
  await sealAll(knex());
  await publishCheckpoint(place.deps, signal, { isDue: () => true });
}

async function available(username: string): Promise<{ uuid: string; verifyUuid: string; file: Buffer }> {
  const { academy } = place;
  const { uuid, verifyUuid } = await academy.issued(username);
  const [path = ""] = await academy.filesOf(uuid);
  return { uuid, verifyUuid, file: await readFile(path) };
}

const get = (path: string) => fetch(`${place.academy.service.httpUrl}${path}`);
const proofOf = (verifyUuid: string) => get(`/verify/${verifyUuid}/credential.tlog-proof`);
const pageOf = async (verifyUuid: string) => (await get(`/verify/${verifyUuid}/`)).text();
const logKey = async () => ((await (await get("/log/")).json()) as { verifier_key: string }).verifier_key;

/** Runs `verify` on the file with the proof. */
async function verified(file: Uint8Array, proof: string, policy: string) {
  const { directory, authority } = place;
  for (const [name, content] of Object.entries({ "a.pdf": file, "a.tlog-proof": proof, policy }))
    await writeFile(join(directory, name), content);
  const args = [
    "verify",
    "a.pdf",
    "--proof",
    "a.tlog-proof",
    "--policy",
    "policy",
    "--tsa-ca",
    authority.caFile,
  ];
  const result = await execute(process.execPath, [BUILT_MAIN, ...args], { cwd: directory }).catch(
    (error) => error,
  );
  return { exitCode: (result.code as number) ?? 0, said: `${result.stdout}${result.stderr}` };
}

test("a proof is accepted for its file by every verifier, reveals only three facts, and outlives an erasure", async () => {
  await seal(knex(), 700);
  const { uuid, verifyUuid, file } = await available("ana");
  expect((await proofOf(verifyUuid)).status).toBe(404);
  expect(await pageOf(verifyUuid)).not.toContain("tlog-proof");
  await publish();
  await seal(knex(), 300);
  await publish();

  const page = await pageOf(verifyUuid);
  expect(page).toContain('href="credential.tlog-proof"');
  const response = await proofOf(verifyUuid);
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${verifyUuid}.tlog-proof"`);
  const proof = await response.text();
  const { opening, log, timestamps } = readLogProof(proof);
  expect(log.size).toBeLessThan(800); // the first checkpoint that contains the event
  expect(timestamps).toHaveLength(1);
  const shown = opening.lines.flatMap((each) => (each instanceof Uint8Array ? [] : [each.line]));
  const [{ sha256 }] = (
    await knex().raw("select encode(file_sha256, 'hex') as sha256 from credentials where uuid = ?", [uuid])
  ).rows;
  expect(shown).toEqual([`verify_uuid: ${verifyUuid}`, "status: available", `file_sha256: ${sha256}`]);
  const extra = Buffer.from(/^extra (\S+)$/m.exec(proof)?.[1] ?? "", "base64").toString("latin1");
  for (const secret of [
    "Learner",
    "Course One",
    "course-v1",
    "Exam",
    "results",
    "particulars",
    "holder",
    "name: ",
  ])
    expect(proof + extra).not.toContain(secret);

  const key = await logKey();
  const policy = `log ${key}\nquorum none\n`;
  const good = await verified(file, proof, policy);
  expect(good.said).toMatch(/verdict: valid: the log has exactly this file, since \d{4}-\S+Z or earlier\n/);
  expect(good.exitCode).toBe(0);
  const other = Buffer.from(file);
  other[other.length - 20] = (other[other.length - 20] ?? 0) ^ 1;
  expect(await verified(other, proof, policy)).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining("The proof is for a different file."),
  });
  const foreign = policy.replace(/log .*\n/, "");
  expect(await verified(file, proof, foreign)).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining("No log in the policy has signed it"),
  });
  const wanting = `${policy.replace("quorum none\n", "")}witness w ${writeKey({ name: "witness.test", kind: "witness", publicKey: Buffer.alloc(32, 7) })}\nquorum w\n`;
  expect((await verified(file, proof, wanting)).said).toContain(
    "Fewer witnesses have cosigned it than the policy requires.",
  );

  const bytes = Uint8Array.from(file);
  expect(await checkProof(bytes, proof, [key])).toEqual({
    outcome: "logged",
    origin: "credentials.test/log",
  });
  expect((await checkProof(Uint8Array.from(other), proof, [key])).outcome).toBe("not-logged");
  expect((await checkProof(bytes, proof, [])).outcome).toBe("not-logged");
  for (const changed of changesOf(proof)) {
    expect((await checkProof(bytes, changed, [key])).outcome, changed).not.toBe("logged");
    expect((await verified(file, changed, policy)).exitCode).toBe(1);
  }

  await inGo(key, proof, file, other);
  await byOpenssl(proof);

  await place.academy.records.eraseLearner({ username: "ana" });
  await publish();
  expect((await proofOf(verifyUuid)).status).toBe(404);
  expect(await pageOf(verifyUuid)).not.toContain("tlog-proof");
  expect((await verified(file, proof, policy)).exitCode).toBe(0);
  // The other events in the log don't belong to a credential.
  const found = await findingsOn(place.academy.service.app);
  expect(found.filter(({ kind }) => kind !== "lost-credential")).toEqual([]);
});

test("after a change of the username, a proof is about the last event whose commitment matches the credential", async () => {
  const { uuid, verifyUuid, file } = await available("old.name");
  await place.academy.records.renameLearners({
    renames: [{ username: "old.name", newUsername: "new.name" }],
  });
  await publish();
  const proof = await (await proofOf(verifyUuid)).text();
  const [{ position }] = (
    await knex().raw(
      "select position from credential_events where credential_uuid = ? and type = 'renamed'",
      [uuid],
    )
  ).rows;
  expect(readLogProof(proof).index).toBe(position - 1);
  expect((await verified(file, proof, `log ${await logKey()}\nquorum none\n`)).exitCode).toBe(0);
});

test("a withdrawn credential has no proof", async () => {
  const { uuid, verifyUuid } = await available("withdrawn");
  await publish();
  expect((await proofOf(verifyUuid)).status).toBe(200);
  await place.academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
  expect((await proofOf(verifyUuid)).status).toBe(404);
});

test("after a new log is started, proofs of the earlier one are valid and available; later documents use the new one", async () => {
  const before = await available("before");
  await publish();
  const old = await logKey();
  const stored = await (await proofOf(before.verifyUuid)).text();
  await continueLog(place.deps);
  const after = await available("after");
  await publish();
  const keys = [old, ((await (await get("/log/2/")).json()) as { verifier_key: string }).verifier_key];
  for (const [key, { verifyUuid, file }] of [
    [keys[0], before],
    [keys[1], after],
  ] as const) {
    const proof = await (await proofOf(verifyUuid)).text();
    const policy = `log ${key}\nquorum none\n`;
    expect((await verified(file, proof, policy)).exitCode).toBe(0);
    const other = policy.replace(`${key}`, keys.find((each) => each !== key) ?? "");
    expect((await verified(file, proof, other)).said).toContain("No log in the policy has signed it");
    expect((await checkProof(Uint8Array.from(file), proof, keys as string[])).outcome).toBe("logged");
  }
  expect((await verified(before.file, stored, `log ${old}\nquorum none\n`)).exitCode).toBe(0);
  for (const path of ["/verify/", "/verify/?id=mistyped"])
    expect(await (await get(path)).text(), path).toContain(`data-log-keys="${keys.join(" ")}"`);
});

/** Returns copies of a proof with one part changed in each. */
function changesOf(proof: string): string[] {
  const extra = Buffer.from(/^extra (\S+)$/m.exec(proof)?.[1] ?? "", "base64").toString();
  const withExtra = (text: string) =>
    proof.replace(/^extra \S+$/m, `extra ${Buffer.from(text).toString("base64")}`);
  return [
    withExtra(extra.replace(/^event ./m, (start) => start.slice(0, -1) + (start.endsWith("A") ? "B" : "A"))),
    withExtra(extra.replace("status: available", "status: invalidated")),
    withExtra(extra.replace(/^hash \S+\n/m, "")),
    proof.replace(/^index \d+$/m, "index 3"),
    proof.replace(/^(index \d+)\n.*\n/m, "$1\n"),
    proof.replace(/\n(\d+)\n(\S{44})\n\n—/, (_, size, root) => `\n${Number(size) + 1}\n${root}\n\n—`),
  ];
}

/** Verifies the timestamp of the checkpoint in a proof with openssl. */
async function byOpenssl(proof: string): Promise<void> {
  const { directory, authority } = place;
  const [token = Buffer.alloc(0)] = readLogProof(proof).timestamps;
  await writeFile(join(directory, "token"), token);
  await writeFile(join(directory, "note"), proof.slice(proof.indexOf("\n\n") + 2));
  const args = ["ts", "-verify", "-data", "note", "-in", "token", "-token_in", "-CAfile", authority.caFile];
  const { stdout, stderr } = await execute("openssl", args, { cwd: directory });
  expect(stdout + stderr).toContain("Verification: OK");
}

async function inGo(key: string, proof: string, file: Buffer, other: Buffer): Promise<void> {
  const { directory } = place;
  const program = await buildGo("check-proof", directory);
  if (!program) return;
  await writeFile(join(directory, "a.tlog-proof"), proof);
  const request = async (content: Buffer) => {
    await writeFile(join(directory, "a.pdf"), content);
    const requested = execute(program, [key, "a.tlog-proof", "a.pdf"], { cwd: directory });
    return (await requested.catch((error) => error)).stdout as string;
  };
  expect(await request(file)).toContain("included: credentials.test/log signatures: 1");
  expect(await request(other)).toContain("wrong: the proof is of another file");
}
