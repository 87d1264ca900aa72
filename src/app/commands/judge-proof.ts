import { createHash } from "node:crypto";
import { type Certificate, chainsToAnchor } from "#formats/sealing/certificate.js";
import { readSignedData } from "#formats/sealing/signed-data.js";
import { type Timestamp, verifyTimestamp } from "#formats/sealing/timestamp-token.js";
import { factIn } from "#formats/transparency/opening.js";
import { type LogPolicy, readPolicy } from "#formats/transparency/policy.js";
import { type ReadLogProof, readLogProof } from "#formats/transparency/proof.js";
import { verifyNote } from "#formats/transparency/verify-note.js";
import { invalid, printable } from "#foundation/errors.js";

/** The parties that the user trusts. If a field is undefined, what these parties confirm is not checked. */
interface TrustedParties {
  /** In the C2SP tlog-policy format. */
  readonly policy: string | undefined;
  /** Certificates of trusted timestamp authorities. */
  readonly anchors: readonly Certificate[] | undefined;
}

/**
 * Checks whether a proof belongs to this file, and who confirms it. Sends no network requests.
 * @returns text lines for the user, the reasons why the proof is worthless (if it is), what was not checked, and the
 * earliest time that someone other than the log confirms
 * @throws Problem `invalid` if the policy is invalid
 */
export function judgeProof(file: Uint8Array, text: string, trusted: TrustedParties) {
  const policy = trusted.policy === undefined ? undefined : readingPolicy(trusted.policy);
  let proof: ReadLogProof;
  try {
    proof = readLogProof(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { says: [], problems: [`The proof ${error.message}.`], unchecked: [], provenBy: undefined };
  }
  const { opening, log } = proof;
  const status = factIn(opening, "status");
  const { stamps, faults } = readStamps(proof, trusted.anchors);
  const { witnesses, problems } = policy ? judgeSignatures(proof, policy) : { witnesses: [], problems: [] };
  const isOfFile = factIn(opening, "file_sha256") === createHash("sha256").update(file).digest("hex");
  const times = [
    ...(trusted.anchors ? stamps.map(({ time }) => time) : []),
    ...witnesses.map(({ time }) => time),
  ];
  return {
    says: [
      `log:     ${printable(log.origin)}, ${log.size} events, this one is number ${proof.index + 1}`,
      `id:      ${printable(factIn(opening, "verify_uuid") ?? "")}`,
      ...stamps.map(
        ({ time, certificate }) =>
          `stamped: ${time.toISOString()}, says ${printable(certificate.subjectName)}${trusted.anchors ? "" : ", whose certificate was not checked"}`,
      ),
      ...witnesses.map(
        ({ name, time }) => `seen:    ${time.toISOString()}, says the witness ${printable(name)}`,
      ),
    ],
    problems: [
      ...(isOfFile ? [] : ["The proof is for a different file."]),
      ...(status === "available"
        ? []
        : [`The proof is of a credential that was ${printable(status ?? "nothing")} then.`]),
      ...faults,
      ...problems,
    ],
    unchecked: policy
      ? []
      : ["Whether to trust this log was not checked: name the logs that you trust with --policy."],
    provenBy: times.sort((one, other) => one.getTime() - other.getTime())[0],
  };
}

function readingPolicy(text: string): LogPolicy {
  try {
    return readPolicy(text);
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`--policy: ${error.message}.`, error);
    throw error;
  }
}

function readStamps(
  { timestamps, stamped }: ReadLogProof,
  anchors: TrustedParties["anchors"],
): {
  readonly stamps: readonly Timestamp[];
  readonly faults: readonly string[];
} {
  const stamps: Timestamp[] = [];
  const faults: string[] = [];
  for (const token of timestamps.map((bytes) => Buffer.from(bytes))) {
    try {
      const stamp = verifyTimestamp(token, Buffer.from(stamped));
      const { certificate, time } = stamp;
      if (anchors && !chainsToAnchor(anchors, certificate, readSignedData(token).certificates, time))
        throw new RangeError(
          `is signed by ${printable(certificate.subjectName)}, which does not chain to a certificate in --tsa-ca`,
        );
      stamps.push(stamp);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push(`A timestamp in the proof ${error.message}.`);
    }
  }
  return { stamps, faults };
}

function judgeSignatures({ log }: ReadLogProof, { logs, witnesses, isMetBy }: LogPolicy) {
  const isSigned = logs.some(
    (key) => key.name === log.origin && verifyNote(log.note, key).verdict === "signed",
  );
  const seen = witnesses.flatMap(({ name, key }) => {
    const { verdict, time } = verifyNote(log.note, key);
    return verdict === "signed" && time !== undefined ? [{ name, time: new Date(time * 1000) }] : [];
  });
  const problems = [
    ...(isSigned ? [] : [`No log in the policy has signed it; it is signed by ${printable(log.origin)}.`]),
    ...(isMetBy(new Set(seen.map(({ name }) => name)))
      ? []
      : ["Fewer witnesses have cosigned it than the policy requires."]),
  ];
  return { witnesses: seen, problems };
}
