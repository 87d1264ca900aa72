import type { BadgeVerdict } from "#formats/badges/judge-badge.js";
import type { RecordVerdict } from "#formats/badges/judge-record.js";
import { printable } from "#foundation/errors.js";

/** The reason why a part of a record is invalid or could not be checked. */
interface Finding {
  readonly isProblem: boolean;
  readonly line: string;
}

/** Describes each badge in one line: its status, holder, name and issuer. */
export function linesOfParts({ parts }: RecordVerdict): string[] {
  return parts.map((part) => {
    const { name, issuerName, holder } = part.says;
    return `  ${statusOf(part)}  ${printable(holder)}: ${printable(name)}, ${printable(issuerName)}`;
  });
}

function statusOf({ problems, unchecked }: BadgeVerdict): string {
  if (problems.length > 0) return "not valid  ";
  return unchecked.length > 0 ? "not checked" : "valid      ";
}

export function findingsOfParts({ parts }: RecordVerdict): Finding[] {
  return parts.flatMap(({ problems, unchecked, says }, index) => {
    const at = `Badge ${index + 1}, ${printable(says.name)}:`;
    return [
      ...problems.map((text) => ({ isProblem: true, line: `${at} ${text}` })),
      ...unchecked.map((text) => ({ isProblem: false, line: `${at} ${text}` })),
    ];
  });
}
