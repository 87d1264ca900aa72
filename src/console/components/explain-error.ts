import type { ConnectError } from "@connectrpc/connect";
import { format, type Message } from "#foundation/languages/message.js";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import type { Chapters, ConsoleWording } from "../i18n/load-chapter.js";
import { isolated } from "./isolated.js";

export interface ErrorExplanation {
  readonly text: string;
  /** Whether the text is complete. If so, the service's own message can be hidden. */
  readonly isComplete: boolean;
}

export interface ShownField {
  readonly label: string;
  readonly isEmpty: boolean;
  /** Whether a value is selected rather than typed. */
  readonly isChoice: boolean;
}

/** Reasons whose details are only in the service's own message. */
export const needsDetail = new Set(["NOT_ELIGIBLE", "NOT_PRINTABLE", "IN_USE"]);

/**
 * Describes an error by its details.
 * @param fieldOf finds the form field that sets a field of the request
 * @returns undefined if the error has no details, or if the details say no more than the error's code
 */
export function explainError(
  error: ConnectError,
  words: Chapters["explanations"],
  { parts, status }: Pick<ConsoleWording, "parts" | "status">,
  fieldOf: (path: string) => ShownField | undefined = () => undefined,
): ErrorExplanation | undefined {
  const [info] = error.findDetails(ErrorInfoSchema);
  const [wrong] = error.findDetails(BadRequestSchema);
  const reason = info && valueAt(words.reasons, info.reason);
  if (info && reason !== undefined) {
    const inWords = {
      role: (name: string) => valueAt(parts.roles, name),
      status: (name: string) => valueAt(status, name === "available" ? "valid" : name),
    };
    const text = filled(reason, (name) => {
      const value = info.metadata[name];
      return value && (valueAt(inWords, name)?.(value) ?? isolated(value));
    });
    if (text !== undefined) return { text, isComplete: !needsDetail.has(info.reason) };
  }
  const path = wrong?.fieldViolations[0]?.field;
  if (!path) return undefined;
  const shown = fieldOf(path);
  if (shown) {
    const empty = shown.isChoice ? words.emptyChoice : words.emptyField;
    const text = shown.isEmpty ? empty : words.shownField;
    return { text: text({ field: shown.label }), isComplete: shown.isEmpty };
  }
  if (lastName(path) === "page_token") return { text: words.wrongPage, isComplete: true };
  const field = valueAt(words.fields, lastName(path)) ?? isolated(path);
  return { text: words.wrongField({ field }), isComplete: false };
}

function valueAt<V>(record: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Fills in the values of a message.
 * @returns undefined if a value is missing
 */
function filled(
  message: string | Message<never>,
  textOf: (name: string) => string | undefined,
): string | undefined {
  let isFullyExplained = true;
  const values = new Proxy(
    {},
    {
      get(_, name) {
        const value = textOf(String(name));
        if (!value) isFullyExplained = false;
        return value ?? "";
      },
    },
  );
  const text = format(message, values as never);
  return isFullyExplained ? text : undefined;
}

/** Returns the last name in a path, without indexes: `uuids` for `filter.uuids[1]`. */
function lastName(path: string): string {
  return (
    path
      .split(".")
      .at(-1)
      ?.replace(/\[\d+\]$/, "") ?? path
  );
}
