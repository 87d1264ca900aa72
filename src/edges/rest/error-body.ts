import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { error_key } from "#gen/learning_credentials/options/v1/options_pb.js";
import type { WriteJson } from "./json.js";
import { writeString } from "./json-scalar.js";

/**
 * Compiles the writer of error bodies, `{"<key>":"<message>"}`. The key is the method's `error_key`. It is
 * `detail` if the method has none, or no method is known.
 */
export function createErrorWriter(method?: DescMethod): WriteJson<string> {
  const key = (method && getOption(method, error_key)) || "detail";
  const start = `{${writeString(key)}:`;
  return (message) => `${start}${writeString(message)}}`;
}
