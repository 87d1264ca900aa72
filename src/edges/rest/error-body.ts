import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { conflict_key, error_key } from "#gen/learning_credentials/options/v1/options_pb.js";
import type { WriteJson } from "./json.js";
import { writeString } from "./json-scalar.js";

/**
 * Compiles a writer of error bodies, `{"<key>":"<message>"}`. The key is the method's `error_key` or, by default,
 * `detail`.
 */
export function createErrorWriter(method?: DescMethod): WriteJson<string> {
  const key = (method && getOption(method, error_key)) || "detail";
  const start = `{${writeString(key)}:`;
  return (message) => `${start}${writeString(message)}}`;
}

/** Compiles a writer of errors with status 409. The conflicting values are under the method's `conflict_key`. */
export function createConflictWriter(
  method: DescMethod,
): (message: string, facts: Readonly<Record<string, string>>) => string {
  const writeError = createErrorWriter(method);
  const key = getOption(method, conflict_key);
  if (key === "") return writeError;
  return (message, facts) => {
    const values = Object.entries(facts).map(([name, value]) => `${writeString(name)}:${writeString(value)}`);
    return `${writeError(message).slice(0, -1)},${writeString(key)}:{${values.join(",")}}}`;
  };
}
