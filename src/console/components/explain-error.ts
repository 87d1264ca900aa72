import type { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import type { ConsoleWording } from "../languages/en/core.js";
import type { ExplanationsWording } from "../languages/en/explanations.js";
import { isolated } from "./isolated.js";

/** An error in the reader's language. */
export interface Explanation {
  readonly text: string;
  /** Whether it says all: then the service's own words can wait. */
  readonly isComplete: boolean;
}

/** A field on the screen that an error is about. */
export interface ShownField {
  readonly label: string;
  readonly isEmpty: boolean;
}

/** Reasons whose particulars only the service's own words have. */
const needsDetail = new Set(["NOT_ELIGIBLE", "NOT_PRINTABLE", "IN_USE"]);

/**
 * Words an error by its details.
 * @param fieldOf finds the field on the screen that is sent as a field of the request
 * @returns undefined if it has none, or they say no more than its code
 */
export function explainError(
  error: ConnectError,
  words: ExplanationsWording,
  { parts, standing }: Pick<ConsoleWording, "parts" | "standing">,
  fieldOf: (path: string) => ShownField | undefined = () => undefined,
): Explanation | undefined {
  const [info] = error.findDetails(ErrorInfoSchema);
  const [wrong] = error.findDetails(BadRequestSchema);
  const reason = info && valueAt(words.reasons, info.reason);
  if (info && reason !== undefined) {
    const inWords = {
      role: (name: string) => valueAt(parts.roles, name),
      status: (name: string) => valueAt(standing, name === "available" ? "valid" : name),
    };
    const text = filled(reason, (place) => {
      const value = info.metadata[place];
      return value && (valueAt(inWords, place)?.(value) ?? isolated(value));
    });
    if (text !== undefined) return { text, isComplete: !needsDetail.has(info.reason) };
  }
  const path = wrong?.fieldViolations[0]?.field;
  if (!path) return undefined;
  const shown = fieldOf(path);
  if (shown) {
    const text = shown.isEmpty ? words.emptyField : words.shownField;
    return { text: text.replace("{field}", () => shown.label), isComplete: shown.isEmpty };
  }
  const field = valueAt(words.fields, lastName(path)) ?? isolated(path);
  return { text: words.wrongField.replace("{field}", () => field), isComplete: false };
}

function valueAt<V>(record: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** @returns undefined if a place has no value */
function filled(text: string, wordOf: (place: string) => string | undefined): string | undefined {
  let isWhole = true;
  const result = text.replace(/\{(\w+)\}/g, (_, place: string) => {
    const value = wordOf(place);
    if (!value) isWhole = false;
    return value ?? "";
  });
  return isWhole ? result : undefined;
}

/** The name of the field at the end of a path: `uuids` of `filter.uuids[1]`. */
function lastName(path: string): string {
  return (
    path
      .split(".")
      .at(-1)
      ?.replace(/\[\d+\]$/, "") ?? path
  );
}
