import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { checkpointText, readCheckpoint } from "#formats/transparency/checkpoint.js";
import { EMPTY_ROOT, isConsistent } from "#formats/transparency/merkle.js";
import {
  cosignature,
  type NoteKeyKind,
  readKey,
  readNote,
  signatureLine,
  textToCosign,
  writeKey,
} from "#formats/transparency/note.js";
import { verifyNote } from "#formats/transparency/verify-note.js";

function keyOf(name: string, kind: NoteKeyKind) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const key = { name, kind, publicKey: Uint8Array.from(Buffer.from(x, "base64url")) };
  return { key, sign: (text: string) => sign(null, Buffer.from(text), privateKey) };
}

const log = keyOf("credentials.test/log", "log");
const witness = keyOf("witness.test", "witness");
const text = checkpointText({ origin: log.key.name, size: 0, root: EMPTY_ROOT });
const TIME = 1_679_315_147;
const cosigned =
  `${text}\n${signatureLine(log.key, log.sign(text))}` +
  signatureLine(witness.key, cosignature(TIME, witness.sign(textToCosign(text, TIME))));

test("the specification's example opens with its key, and keys are written as they are read", () => {
  // C2SP signed-note, "Example", at d9a1f1e.
  const example = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
  const signed =
    "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
  expect(verifyNote(readNote(signed), readKey(example)).verdict).toBe("signed");
  expect(writeKey(readKey(example))).toBe(example);
  expect(readKey(writeKey(witness.key))).toEqual(witness.key);
  const damaged = writeKey(log.key).replace(/\+[\da-f]{8}\+/, "+00000000+");
  expect(() => readKey(damaged)).toThrow("is damaged");
});

test("a checkpoint with a cosignature is read, and both signatures verify", () => {
  const { origin, size, root, note } = readCheckpoint(cosigned);
  expect({ origin, size, root }).toEqual({
    origin: log.key.name,
    size: 0,
    root: Uint8Array.from(EMPTY_ROOT),
  });
  expect(verifyNote(note, log.key)).toEqual({ verdict: "signed" });
  expect(verifyNote(note, witness.key)).toEqual({ verdict: "signed", time: TIME });
  expect(verifyNote(note, keyOf(log.key.name, "log").key).verdict).toBe("unsigned");
});

test("a change in a note makes its signatures wrong, or the note invalid", () => {
  const other = readNote(cosigned.replace("\n0\n", "\n1\n"));
  expect([verifyNote(other, log.key).verdict, verifyNote(other, witness.key).verdict]).toEqual([
    "forged",
    "forged",
  ]);
  for (const [wrong, why] of [
    [text, "is not a signed note"],
    [cosigned.trimEnd(), "is not a signed note"],
    [cosigned.replace("— w", "- w"), "has a malformed signature line"],
    [cosigned.replace("\n0\n", "\n00\n"), "is not in the C2SP tlog-checkpoint format"],
    [cosigned.replace("credentials", "cre\u0007dentials"), "is not a signed note"],
  ] as const)
    expect(() => readCheckpoint(wrong)).toThrow(why);
});

/**
 * The data that torchwood's tests send to their witness: github.com/FiloSottile/torchwood,
 * internal/witness/witness_test.go, TestRace, at 1cadf595. It consists of the log's key, three checkpoints that the log
 * has signed, and the consistency proofs from the first checkpoint to the others.
 */
test("checkpoints and proofs of another log, as a witness receives them, verify", () => {
  const name = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562";
  const publicKey = Buffer.from("ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f", "hex");
  const key = { name, kind: "log" as const, publicKey };
  const signed = (size: number, root: string, signature: string) =>
    readCheckpoint(`${name}\n${size}\n${root}\n\n— ${name} ${signature}\n`);
  const first = signed(
    1,
    "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=",
  );
  const grown = [
    [
      signed(
        3,
        "RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=",
        "UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=",
      ),
      ["KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
    ],
    [
      signed(
        5,
        "QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=",
        "UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=",
      ),
      [
        "KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=",
        "KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
      ],
    ],
  ] as const;
  expect(verifyNote(first.note, key).verdict).toBe("signed");
  for (const [checkpoint, proof] of grown) {
    expect(verifyNote(checkpoint.note, key).verdict).toBe("signed");
    const hashes = proof.map((hash) => Buffer.from(hash, "base64"));
    expect(isConsistent(first, checkpoint, hashes)).toBe(true);
    expect(isConsistent(first, checkpoint, hashes.toReversed())).toBe(false);
  }
});

/** The limits that torchwood tests: checkpoint_test.go, TestParseCheckpointOriginLength, at ff4c8687. */
test("the name of a log has at most 255 bytes, and may have spaces and plus signs", () => {
  const named = (origin: string) =>
    `${checkpointText({ origin, size: 0, root: EMPTY_ROOT })}\n${signatureLine(log.key, log.sign(text))}`;
  for (const origin of ["a", "a".repeat(255), `${"é".repeat(127)}a`, "example log+origin"])
    expect(readCheckpoint(named(origin)).origin).toBe(origin);
  for (const origin of ["", "a".repeat(256), "é".repeat(128)])
    expect(() => readCheckpoint(named(origin))).toThrow("is not in the C2SP tlog-checkpoint format");
});
