import { counted } from "#foundation/text/counted.js";
import type { DiagnosisStats } from "#runtime/doctor/doctor-deps.js";
import { explanations, type Finding, type FindingKind } from "#runtime/doctor/finding.js";
import type { RepairOutcome } from "#runtime/doctor/repair-outcome.js";
import { print } from "./print.js";

export interface Report {
  /** @param repaired undefined if no repair was requested */
  add(finding: Finding, repaired: RepairOutcome | undefined): void;
  end(stats: DiagnosisStats): void;
}

/** Maximum number of listed findings of one kind. Further findings are only counted. */
const MAX_PER_KIND = 100;

/** Prints findings as text at the end, grouped by kind. */
export function createTextReport(): Report {
  const groups = new Map<FindingKind, { shown: string[]; count: number }>();
  const counts = countFindings();
  return {
    add(finding, repaired) {
      counts.add(finding, repaired);
      const group = groups.get(finding.kind) ?? { shown: [], count: 0 };
      groups.set(finding.kind, group);
      group.count++;
      if (group.shown.length < MAX_PER_KIND) group.shown.push(lineOf(finding, repaired));
    },
    end(stats) {
      for (const kind of Object.keys(explanations) as FindingKind[]) {
        const group = groups.get(kind);
        if (group) print(...groupLines(kind, group), "");
      }
      print(...lastEvent(stats), `${checkedLine(stats)}: ${counts.sentence()}`);
    },
  };
}

/** Prints each finding immediately, as a line of JSON. */
export function createJsonReport(): Report {
  const counts = countFindings();
  return {
    add(finding, repaired) {
      counts.add(finding, repaired);
      const { kind, credentialUuid, fileKey, detail } = finding;
      const { remedy, isWarning = false } = explanations[kind];
      print(
        JSON.stringify({
          kind,
          credential_uuid: credentialUuid,
          file_key: fileKey,
          detail,
          remedy,
          is_warning: isWarning,
          repaired: repaired && repaired === "repaired",
          not_repaired_because: repaired === "repaired" ? undefined : repaired?.because,
        }),
      );
    },
    end({ credentialFiles, storedFiles, assets, lastEvent: last }) {
      const counted = { credential_files: credentialFiles, stored_files: storedFiles, assets };
      print(JSON.stringify({ summary: { ...counted, last_event: last, ...counts.totals() } }));
    },
  };
}

function lineOf({ credentialUuid, detail }: Finding, repaired: RepairOutcome | undefined): string {
  const subject = credentialUuid === undefined ? "" : `credential ${credentialUuid}: `;
  if (repaired === undefined) return `  ${subject}${detail}`;
  return `  ${subject}${detail} (${repaired === "repaired" ? "repaired" : `not repaired: ${repaired.because}`})`;
}

function groupLines(kind: FindingKind, { shown, count }: { shown: string[]; count: number }): string[] {
  const { title, remedy, isWarning } = explanations[kind];
  const more = count - shown.length;
  return [
    `${kind} (${isWarning ? "warning, " : ""}${count}): ${title}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more; --json lists them all`] : []),
    `  Remedy: ${remedy}`,
  ];
}

function lastEvent({ lastEvent: last }: DiagnosisStats): string[] {
  if (!last) return [];
  return [
    `Last event: ${last.position}:${last.hash}. Store it elsewhere, and compare it later with --expect.`,
  ];
}

function checkedLine({ credentialFiles, storedFiles, assets }: DiagnosisStats): string {
  return `Checked the files of ${counted(credentialFiles, "credential")}, ${counted(storedFiles, "file")} in the store and ${counted(assets, "asset")}`;
}

function countFindings() {
  let [findings, warnings, repairs] = [0, 0, 0];
  return {
    add({ kind }: Finding, repaired: RepairOutcome | undefined) {
      if (explanations[kind].isWarning) warnings++;
      else findings++;
      if (repaired === "repaired") repairs++;
    },
    totals: () => ({ findings, warnings, repaired: repairs }),
    sentence() {
      if (findings + warnings === 0) return "no problems found.";
      const repaired = repairs > 0 ? `, ${repairs} repaired` : "";
      return `${counted(findings, "finding")}, ${counted(warnings, "warning")}${repaired}.`;
    },
  };
}
