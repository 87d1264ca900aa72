import { createHash } from "node:crypto";
import type { Command } from "commander";
import { type BadgeFile, type BadgeFileKind, badgeInFile } from "#formats/badges/badge-in-file.js";
import type { BadgeVerdict } from "#formats/badges/judge-badge.js";
import type { RecordVerdict } from "#formats/badges/judge-record.js";
import { verifyBadge, verifyRecord } from "#formats/badges/verify-badge.js";
import { readCertificates } from "#formats/sealing/certificate.js";
import { ChangedError, UnknownFormError } from "#formats/sealing/seal-errors.js";
import { readSeal } from "#formats/sealing/sealed-pdf.js";
import { MAX_PROOF } from "#formats/transparency/proof.js";
import { invalid, printable } from "#foundation/errors.js";
import { withoutByteOrderMark } from "#foundation/text/byte-order-mark.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { checkWithIssuer } from "./check-with-issuer.js";
import { describeFailure } from "./failure.js";
import { fetchJson } from "./fetch-json.js";
import { judgeProof } from "./judge-proof.js";
import { print } from "./print.js";
import { readInput } from "./read-input.js";
import { findingsOfParts, linesOfParts } from "./verify-record.js";

/** Larger files are rejected. */
const MAX_FILE = 16 * 1024 * 1024;

const EXIT_NOT_GENUINE = 1;
const EXIT_NOT_CHECKED = 2;

interface Options {
  readonly badgeOnly: boolean;
  readonly proof?: string;
  readonly policy?: string;
  readonly tsaCa?: string;
  readonly holder?: readonly string[];
  readonly issuer?: string;
}

interface Result {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

export function addCommand(program: Command): void {
  program
    .command("verify")
    .description(
      "verify a credential's file, an Open Badge 3.0 or a learner record: signature, validity and revocation",
    )
    .argument(
      "<file>",
      "PDF, PNG, SVG or presentation that contains a badge; a badge as JSON or JWT; or a learner record (CLR 2.0) as JSON",
    )
    .option("--badge-only", "check only the badge, not the page or image that contains it", false)
    .option(
      "--holder <name>",
      "expected holder's name, case-insensitive; repeatable, for people who have changed their name",
      (name: string, earlier: readonly string[] = []) => [...earlier, name],
    )
    .option("--issuer <did>", "DID that the institution has published")
    .option("--proof <file>", "proof that the log contains this file (.tlog-proof), checked offline")
    .option(
      "--policy <file>",
      "with --proof: file with the logs and witnesses that you trust (C2SP tlog-policy)",
    )
    .option(
      "--tsa-ca <file>",
      "with --proof: PEM file with the certificates that timestamp authorities must chain to",
    )
    .addHelpText(
      "after",
      `
Exit code: 0 if this file (with --badge-only, the badge in it) is genuine; ${EXIT_NOT_GENUINE} if it is not, or if it has another holder
or issuer than expected; ${EXIT_NOT_CHECKED} if it could not be checked, or if only the badge in it could be checked.

A badge as JSON or JWT is checked completely. For a PDF, the command asks the service that the signed badge names whether
it issued the file, and sends only its SHA-256. If the service can't be reached, and for pictures and presentations, only
the badge is checked. Anyone can put a genuine badge into another file, so compare the name.

The seal of a PDF shows whether the file has changed since it was sealed. Its certificate names who sealed the file, but
is not checked here, and anyone can create one in any name. Compare its SHA-256 with the one that the institution
publishes, or open the file in a PDF reader.

In a learner record, each badge is verified, and the record must name its holder. If badges name different people, only
the issuer of the record states that they are one person: with --holder, each badge must have a name that you pass.

A proof shows by what time the file had been recorded, even if no service responds any more. It doesn't show whether the
credential is still valid. Without --policy, the log is not checked; without --tsa-ca, the timestamp authority isn't.

The command needs no database and no settings: it fetches the keys and the status list from the addresses in the badge.
It can't check whether the issuer's name is true: use --issuer, or compare the DID with the one that the institution publishes.`,
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_NOT_CHECKED))
    .action(async (file: string, options: Options) => {
      const { exitCode, lines } = await resultOf(file, options).catch((error) => ({
        exitCode: EXIT_NOT_CHECKED,
        lines: [describeFailure(error, undefined).text],
      }));
      (exitCode === 0 ? process.stdout : process.stderr).write(`${lines.join("\n")}\n`);
      process.exitCode = exitCode;
    });
}

async function resultOf(file: string, options: Options): Promise<Result> {
  const bytes = await readInput(file);
  if (bytes.length > MAX_FILE)
    throw invalid(`${file} has ${bytes.length} bytes; at most ${MAX_FILE} are accepted.`);
  if (options.proof !== undefined) return resultOfProof(bytes, options.proof, options);
  const found = badgeInFile(bytes);
  const seal = found.kind === "pdf" ? judgeSeal(bytes) : undefined;
  if (seal) process.stdout.write(seal.verdictText);
  if (seal?.problem) return notValid([seal.problem]);
  const badge = badgeIn(file, found);
  if (badge === undefined && seal) {
    const reasons = ["It contains no badge, so whether it is still valid can't be checked."];
    return seal.unchecked
      ? notChecked("could not be verified", [seal.unchecked, ...reasons])
      : notChecked("only its seal is valid", reasons);
  }
  const result = await resultOfBadge(file, { bytes, kind: found.kind, badge }, options);
  return seal?.unchecked && options.badgeOnly && result.exitCode === 0
    ? notChecked("only the badge in it is valid", [seal.unchecked])
    : result;
}

/** Checks a file by the badge or record in it. */
async function resultOfBadge(
  file: string,
  { bytes, kind, badge }: { bytes: Buffer; kind: BadgeFileKind; badge: string | undefined },
  options: Options,
): Promise<Result> {
  const record = badge === undefined ? undefined : await verifyRecord(badge, fetchJson, new Date());
  if (record) return aroundRecord(kind, resultOfRecord(record, options), options);
  const verdict = badge === undefined ? undefined : await verifyBadge(badge, fetchJson, new Date());
  if (!verdict)
    throw invalid(`${file} is neither an Open Badge 3.0 nor a PDF, PNG or SVG that contains one.`);
  const { says } = verdict;
  print(`badge:   ${printable(says.name)}`, ...whose(says));
  const problems = [
    ...verdict.problems,
    ...holderMismatch([says.holder], options),
    ...issuerMismatch(says.issuer, options),
  ];
  if (problems.length > 0) return notValid([...problems, ...verdict.unchecked]);
  if (verdict.unchecked.length > 0) return notChecked("could not be verified", verdict.unchecked);
  return kind === "text"
    ? valid(`signed by its issuer, ${revocationOf(verdict)}`)
    : aroundBadge(bytes, kind, verdict, options);
}

interface JudgedSeal {
  readonly verdictText: string;
  /** What is wrong with the file. */
  readonly problem?: string;
  /** Why the seal can't be checked here. */
  readonly unchecked?: string;
}

/** @returns undefined if the PDF has no seal */
function judgeSeal(pdf: Uint8Array): JudgedSeal | undefined {
  try {
    const seal = readSeal(pdf);
    if (!seal) return undefined;
    const { certificate, timestamp } = seal;
    const fingerprint = createHash("sha256").update(certificate.encoded).digest("hex");
    const time = timestamp
      ? `${timestamp.time.toISOString()}, says ${printable(timestamp.certificate.subjectName)}`
      : "the time is not confirmed by a timestamp authority";
    return {
      verdictText:
        `seal:    ${printable(certificate.subjectName)}; nothing has changed since\n` +
        `         by a certificate of ${printable(certificate.issuerName)}, which is not checked here; its SHA-256 is\n` +
        `         ${fingerprint}\n` +
        `sealed:  ${time}\n`,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (error instanceof UnknownFormError)
      return {
        verdictText: `seal:    not checked: it ${error.message}\n`,
        unchecked: `Its seal can't be checked here: it ${error.message}.`,
      };
    const problem =
      error instanceof ChangedError
        ? `It was changed since it was sealed: the seal ${error.message}.`
        : `Its seal is broken: it ${error.message}.`;
    return { verdictText: "", problem };
  }
}

function resultOfRecord(record: RecordVerdict, options: Options): Result {
  const { ownVerdict, names, parts } = record;
  const { says, problems, unchecked } = ownVerdict;
  const holders = parts.length > 0 ? parts.map((part) => part.says.holder) : names;
  print(
    `record:  ${printable(says.name)}`,
    ...whose(says, names),
    `badges:  ${parts.length}`,
    ...linesOfParts(record),
  );
  const findings = findingsOfParts(record);
  const linesOf = (isProblem: boolean) =>
    findings.filter((each) => each.isProblem === isProblem).map(({ line }) => line);
  const wrong = [
    ...problems,
    ...holderMismatch(holders, options),
    ...issuerMismatch(says.issuer, options),
    ...linesOf(true),
  ];
  const open = [...unchecked, ...linesOf(false)];
  if (wrong.length > 0) return notValid([...wrong, ...open]);
  if (open.length > 0) return notChecked("could not be verified", open);
  const { lines } = valid(
    `its issuer has signed the record, and each badge in it is signed by the badge's issuer, ${revocationOf(...parts)}`,
  );
  const holderNames = names.map((name) => printable(name)).join(" and ");
  const caution = `That ${holderNames} are one person is stated by the record's issuer only: check the holder of each badge.`;
  return { exitCode: 0, lines: [...lines, ...(new Set(names).size > 1 ? [caution] : [])] };
}

/** Describes the revocation status of valid badges, as part of a sentence. */
function revocationOf(...verdicts: readonly BadgeVerdict[]): string {
  return verdicts.every(({ statusListUrl }) => statusListUrl !== undefined)
    ? "and not revoked"
    : "which doesn't name a status list, so revocation was not checked";
}

/**
 * Adds a warning about the file around a valid record. The service generates such files on request and stores no
 * checksums of them, so the rest of the file can't be checked.
 */
function aroundRecord(kind: BadgeFileKind, result: Result, { badgeOnly }: Options): Result {
  if (kind === "text" || result.exitCode !== 0) return result;
  const caution =
    kind === "pdf"
      ? "Only a seal protects the page itself: compare the page with the badges above."
      : `The ${CONTAINER_NAMES[kind]} itself is not protected: compare it with the badges above.`;
  const [, ...reasons] = result.lines;
  const verdict = badgeOnly ? "the record in it is valid" : "only the record in it is valid";
  return {
    exitCode: badgeOnly ? 0 : EXIT_NOT_CHECKED,
    lines: [`verdict: ${verdict}`, ...reasons, caution],
  };
}

/** Names of files that contain a badge, for messages. */
const CONTAINER_NAMES = {
  pdf: "page",
  png: "picture",
  svg: "picture",
  wrapper: "file",
  text: "file",
} as const;

/** Checks the page, picture or wrapper around a valid badge. */
async function aroundBadge(
  bytes: Uint8Array,
  kind: BadgeFileKind,
  verdict: BadgeVerdict,
  { badgeOnly }: Options,
): Promise<Result> {
  const caution = `The ${CONTAINER_NAMES[kind]} itself is not protected: compare the name on it with the holder above.`;
  if (badgeOnly)
    return {
      exitCode: 0,
      lines: [`verdict: the badge in it is valid: signed by its issuer, ${revocationOf(verdict)}`, caution],
    };
  const onlyBadge = (why: string) => notChecked("only the badge in it is valid", [why, caution]);
  if (kind !== "pdf")
    return onlyBadge(`Anyone can put a genuine badge into a ${CONTAINER_NAMES[kind]} of their own.`);
  try {
    const problem = await checkWithIssuer(bytes, verdict);
    return problem === undefined
      ? valid("this file is exactly as its issuer has issued it, and the credential is in force")
      : notValid([problem]);
  } catch (error) {
    return onlyBadge(
      `The issuer could not confirm that this is the file that was issued: ${(error as Error).message}`,
    );
  }
}

async function resultOfProof(file: Uint8Array, proofFile: string, options: Options): Promise<Result> {
  const text = await readInput(proofFile);
  if (text.length > MAX_PROOF)
    throw invalid(`${proofFile} has ${text.length} bytes; at most ${MAX_PROOF} are accepted.`);
  const [policy, ca] = await Promise.all(
    [options.policy, options.tsaCa].map(async (path) =>
      path === undefined ? undefined : withoutByteOrderMark((await readInput(path)).toString("utf8")),
    ),
  );
  const anchors = ca === undefined ? undefined : readCertificates(ca);
  const { says, problems, unchecked, provenBy } = judgeProof(file, text.toString("utf8"), {
    policy,
    anchors,
  });
  print(...says);
  if (problems.length > 0) return notValid(problems);
  if (unchecked.length > 0) return notChecked("could not be verified", unchecked);
  const { lines } = valid(
    `the log has exactly this file${provenBy ? `, since ${provenBy.toISOString()} or earlier` : ""}`,
  );
  return {
    exitCode: 0,
    lines: [...lines, "The proof doesn't show whether the credential is still valid."],
  };
}

function valid(why: string): Result {
  return { exitCode: 0, lines: [`verdict: valid: ${why}`] };
}

function notChecked(verdict: string, reasons: readonly string[]): Result {
  return { exitCode: EXIT_NOT_CHECKED, lines: [`verdict: ${verdict}`, ...reasons] };
}

function notValid(problems: readonly string[]): Result {
  return { exitCode: EXIT_NOT_GENUINE, lines: ["verdict: not valid", ...problems] };
}

function whose(
  { holder, issuerName, issuer }: BadgeVerdict["says"],
  names: readonly string[] = [holder],
): string[] {
  return [
    `holder:  ${names.map((name) => printable(name)).join("\n         ")}`,
    `issuer:  ${printable(issuerName)}, ${printable(issuer)}`,
  ];
}

/** @returns the problem if the holder of a badge has another name than expected */
function holderMismatch(holders: readonly string[], { holder: expected }: Options): string[] {
  if (!expected) return [];
  const isExpected = new Set(expected.map(comparable));
  const others = new Set(
    holders.filter((name) => !isExpected.has(comparable(name))).map((name) => printable(name)),
  );
  if (others.size === 0 && holders.length > 0) return [];
  const named = others.size > 0 ? [...others].join(" and ") : "not named";
  return [`Its holder is ${named}, not ${expected.map((name) => printable(name)).join(" or ")}.`];
}

function issuerMismatch(issuer: string, { issuer: expected }: Options): string[] {
  if (expected === undefined || expected === issuer) return [];
  return [`Its issuer is ${printable(issuer)}, not ${printable(expected)}.`];
}

function comparable(name: string): string {
  return plainLine(name).normalize("NFC").toLowerCase();
}

function badgeIn(file: string, found: BadgeFile): string | undefined {
  try {
    return found.badge();
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`${file}: ${error.message}.`, error);
    throw error;
  }
}
