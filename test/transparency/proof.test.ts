import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { judgeProof } from "#app/commands/judge-proof.js";
import { checkProof, type ProofCheck } from "#edges/pages/browser/check-proof.js";
import { checkpointText } from "#formats/transparency/checkpoint.js";
import { leafHash } from "#formats/transparency/inclusion.js";
import { inclusionProof, nodeHash, splitOf } from "#formats/transparency/merkle.js";
import { signatureLine, writeKey } from "#formats/transparency/note.js";
import { leafOf, openLines, saltOf } from "#formats/transparency/opening.js";
import { writeProof } from "#formats/transparency/proof.js";

const NAME = "credentials.test/log";
const INDEX = 3;

function keyOf(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const key = { name, kind: "log" as const, publicKey: Buffer.from(x, "base64url") };
  return {
    text: writeKey(key),
    signs: (text: string) => signatureLine(key, sign(null, Buffer.from(text), privateKey)),
    key,
  };
}

const log = keyOf(NAME);
const former = keyOf(NAME);
const file = Uint8Array.from(Buffer.from("%PDF-1.7 a credential"));

async function proofOf({ status = "available", sign = log.signs } = {}): Promise<string> {
  const facts = [
    "verify_uuid: 0d9d6ad1-64f5-4d1c-9d23-0a6a8dbd7e19",
    'name: "Ana"',
    `status: ${status}`,
    `file_sha256: ${createHash("sha256").update(file).digest("hex")}`,
  ];
  const salted = facts.map((line) => ({ line, salt: saltOf(Buffer.alloc(32, 5), line) }));
  const opening = {
    eventHash: Buffer.alloc(32, 9),
    lines: openLines(salted, ["verify_uuid", "status", "file_sha256"]),
  };
  const leaves = Array.from({ length: 6 }, (_, at) =>
    at === INDEX ? leafOf(opening) : leafHash(Buffer.from(`${at}`)),
  );
  const rootOf = (from: number, to: number): Buffer => {
    if (to - from === 1) return leaves[from] as Buffer;
    const middle = from + splitOf(to - from);
    return nodeHash(rootOf(from, middle), rootOf(middle, to));
  };
  const path = await inclusionProof(INDEX, leaves.length, async (from, to) => rootOf(from, to));
  const text = checkpointText({ origin: NAME, size: leaves.length, root: rootOf(0, leaves.length) });
  return writeProof({ opening, timestamps: [], index: INDEX, path, checkpoint: `${text}\n${sign(text)}` });
}

const genuine = await proofOf();
const extra = Buffer.from(/^extra (\S+)$/m.exec(genuine)?.[1] ?? "", "base64").toString();
const withExtra = (text: string) =>
  genuine.replace(/^extra \S+$/m, `extra ${Buffer.from(text).toString("base64")}`);

/** Replaces the key id in a signature line. */
function withKeyIdOf(other: string, line: string): string {
  const bytes = Buffer.from(line.slice(line.lastIndexOf(" ") + 1), "base64");
  Buffer.from(other.split("+")[1] ?? "", "hex").copy(bytes);
  return `— ${NAME} ${bytes.toString("base64")}\n`;
}

const cases: Record<string, { proof?: string; file?: string; keys?: string[]; holds?: true }> = {
  "as it was made": { holds: true },
  "with a signature by another key of the same log": {
    proof: await proofOf({ sign: (text) => former.signs(text) + log.signs(text) }),
    holds: true,
  },
  "with a cosignature by a key that is not trusted": {
    proof: await proofOf({ sign: (text) => log.signs(text) + keyOf("witness.test").signs(text) }),
    holds: true,
  },
  "signed by one of two keys of the same name": { keys: [former.text, log.text], holds: true },
  "for another file": { file: "%PDF-1.7 another" },
  "of a credential that was withdrawn": { proof: await proofOf({ status: "invalidated" }) },
  "with another status": { proof: withExtra(extra.replace("available", "generating")) },
  "without one hash": { proof: withExtra(extra.replace(/^hash \S+\n/m, "")) },
  "with a second status": { proof: withExtra(extra.replace(/^(open \S+ )status: .*$/m, "$1status: x\n$&")) },
  "with another first line": { proof: withExtra(extra.replace("opening v1", "opening v2")) },
  "for another index": { proof: genuine.replace(/^index \d+$/m, "index 2") },
  "without the first hash of its path": { proof: genuine.replace(/^(index \d+)\n.*\n/m, "$1\n") },
  "for another size": { proof: genuine.replace(/\n6\n/, "\n7\n") },
  "with characters after its hashes": { proof: genuine.replace(/^(index \d+\n.{42})./m, "$1B") },
  "without a signature": { proof: genuine.replace(/— .*\n$/, "") },
  "signed by a key that is not trusted": { proof: await proofOf({ sign: former.signs }) },
  "signed with the id of another key": {
    proof: await proofOf({ sign: (text) => withKeyIdOf(former.text, log.signs(text)) }),
  },
  "signed by another key with the id of the trusted one": {
    proof: await proofOf({ sign: (text) => withKeyIdOf(log.text, former.signs(text)) }),
  },
  "with a wrong signature beside the right one": {
    proof: await proofOf({ sign: (text) => log.signs(text) + withKeyIdOf(log.text, former.signs(text)) }),
  },
  "with a signature that is too short": {
    proof: await proofOf({ sign: () => signatureLine(log.key, Buffer.alloc(63)) }),
  },
  "of a log that is not trusted": { keys: [keyOf("other.test/log").text] },
};

test.each(Object.entries(cases))("both verifiers judge a proof %s alike", async (_name, given) => {
  const { proof = genuine, keys = [log.text], holds = false } = given;
  const bytes = given.file === undefined ? file : Uint8Array.from(Buffer.from(given.file));
  const policy = `${keys.map((key) => `log ${key}\n`).join("")}quorum none\n`;
  const { problems } = judgeProof(bytes, proof, { policy, anchors: undefined });
  expect(await checkProof(bytes, proof, keys)).toEqual(
    holds ? { outcome: "logged", origin: NAME } : { outcome: "not-logged" },
  );
  expect(problems.length === 0, problems.join()).toBe(holds);
});

test.each<[string, string[], string, ProofCheck]>([
  ["if another key has signed it", ["malformed", log.text], genuine, { outcome: "logged", origin: NAME }],
  ["if no other key has signed it", [former.text, "malformed"], genuine, { outcome: "unchecked" }],
  ["if it has no other key", ["malformed"], genuine, { outcome: "unchecked" }],
  [
    "of a withdrawn credential",
    ["malformed"],
    await proofOf({ status: "invalidated" }),
    { outcome: "not-logged" },
  ],
  ["that is malformed, too", ["malformed"], "no proof", { outcome: "not-logged" }],
])("with a malformed trusted key, the page judges a proof %s", async (_, keys, proof, check) => {
  expect(await checkProof(file, proof, keys)).toEqual(check);
});

test("the page's script has no Buffer, which only Node has", async () => {
  const { checkFileScript } = await import("#gen/pages/check-file-script.js");
  expect(checkFileScript).not.toMatch(/\bBuffer\b/);
});
