import { Problem } from "../../errors.js";

/** Someone whose name can't be printed, and why. */
export interface Unprintable<Named> {
  readonly named: Named;
  readonly detail: string;
}

/**
 * Those whose names the check refuses. It is asked about all at once, and about halves where it refuses: one bad name
 * among thousands takes some twenty questions, none takes one.
 * @param check refuses a text, which may hold several lines, with a `Problem`
 */
export function unprintableNames<Named extends { readonly userFullName: string }>(
  all: readonly Named[],
  check: (text: string) => void,
): Unprintable<Named>[] {
  const [first] = all;
  if (first === undefined) return [];
  const detail = refusal(check, all.map(({ userFullName }) => userFullName).join("\n"));
  if (detail === undefined) return [];
  if (all.length === 1) return [{ named: first, detail }];
  const half = all.length >> 1;
  return [...unprintableNames(all.slice(0, half), check), ...unprintableNames(all.slice(half), check)];
}

function refusal(check: (text: string) => void, text: string): string | undefined {
  try {
    check(text);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
