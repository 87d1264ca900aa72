import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { checkpointText, readCheckpoint } from "../../src/transparency/checkpoint.js";
import { EMPTY_ROOT } from "../../src/transparency/merkle.js";
import {
  cosignature,
  type NoteKeyKind,
  readKey,
  readNote,
  signatureLine,
  textToCosign,
  verifyNote,
  writeKey,
} from "../../src/transparency/note.js";

function keyOf(name: string, kind: NoteKeyKind) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const key = { name, kind, publicKey: Buffer.from(x, "base64url") };
  return { key, sign: (text: string) => sign(null, Buffer.from(text), privateKey) };
}

const log = keyOf("credentials.test/log", "log");
const witness = keyOf("witness.test", "witness");
const text = checkpointText({ origin: log.key.name, size: 0, root: EMPTY_ROOT });
const TIME = 1_679_315_147;
const cosigned =
  `${text}\n${signatureLine(log.key, log.sign(text))}` +
  signatureLine(witness.key, cosignature(TIME, witness.sign(textToCosign(text, TIME))));

test("the example of the specification opens with its key, and keys are written as they are read", () => {
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
  expect({ origin, size, root }).toEqual({ origin: log.key.name, size: 0, root: EMPTY_ROOT });
  expect(verifyNote(note, log.key)).toEqual({ verdict: "signed" });
  expect(verifyNote(note, witness.key)).toEqual({ verdict: "signed", time: TIME });
  expect(verifyNote(note, keyOf(log.key.name, "log").key).verdict).toBe("unsigned");
});

test("what is changed in a note makes its signatures wrong, or it no note", () => {
  const other = readNote(cosigned.replace("\n0\n", "\n1\n"));
  expect([verifyNote(other, log.key).verdict, verifyNote(other, witness.key).verdict]).toEqual([
    "forged",
    "forged",
  ]);
  for (const [wrong, why] of [
    [text, "is not a signed note"],
    [cosigned.trimEnd(), "is not a signed note"],
    [cosigned.replace("— w", "- w"), "has a line that is no signature"],
    [cosigned.replace("\n0\n", "\n00\n"), "is not a checkpoint"],
    [cosigned.replace("credentials", "cre\u0007dentials"), "is not a signed note"],
  ] as const)
    expect(() => readCheckpoint(wrong)).toThrow(why);
});
