import type { ConnectError } from "@connectrpc/connect";
import { format, type Message } from "#foundation/languages/message.js";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import type { Chapters, ConsoleWording } from "../i18n/load-chapter.js";
import { isolated } from "./isolated.js";

/** An error in the reader's language. */
export interface Explanation {
  readonly text: string;
  /** Whether the text is complete, so that the service's own message can be hidden. */
  readonly isComplete: boolean;
}

/** A field on the page that an error is about. */
export interface ShownField {
  readonly label: string;
  readonly isEmpty: boolean;
}

/** Reasons whose details are only in the service's own message. */
const needsDetail = new Set(["NOT_ELIGIBLE", "NOT_PRINTABLE", "IN_USE"]);

/**
 * Describes an error by its details.
 * @param fieldOf finds the field on the page for a field of the request
 * @returns undefined if there are no details, or they add nothing to the error code
 */
export function explainError(
  error: ConnectError,
  words: Chapters["explanations"],
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
    const text = shown.isEmpty ? words.emptyField : words.shownField;
    return { text: text({ field: shown.label }), isComplete: shown.isEmpty };
  }
  const field = valueAt(words.fields, lastName(path)) ?? isolated(path);
  return { text: words.wrongField({ field }), isComplete: false };
}

function valueAt<V>(record: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** @returns undefined if a value that the message needs is missing */
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

/** Returns the name of the last field in a path: `uuids` for `filter.uuids[1]`. */
function lastName(path: string): string {
  return (
    path
      .split(".")
      .at(-1)
      ?.replace(/\[\d+\]$/, "") ?? path
  );
}
