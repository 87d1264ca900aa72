import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Problem } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** Identifies this service as the source of the `reason` values (`ErrorInfo.domain`). */
const DOMAIN = "learning-credentials";

/** Maximum length of the description, which a gRPC header contains in addition to the full message. */
const MAX_DESCRIPTION = 200;

/** The properties of a `Problem` that become details. */
export type Explained = Pick<Problem, "reason"> & Partial<Pick<Problem, "field" | "facts">>;

interface Detail {
  readonly desc: DescMessage;
  readonly value: MessageInitShape<DescMessage>;
}

/** Returns the machine-readable details of an error. Only protocols that can send details encode them. */
export function errorDetails({ reason, field, facts }: Explained, message: string): Detail[] {
  const info = {
    desc: ErrorInfoSchema,
    value: { reason, domain: DOMAIN, metadata: wellFormed(facts ?? {}) },
  };
  if (field === undefined) return [info];
  const description = sendable(message);
  const fieldViolations = [{ field: field.toWellFormed(), description, reason }];
  return [info, { desc: BadRequestSchema, value: { fieldViolations } }];
}

function wellFormed(facts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, sendable(value)]));
}

function sendable(text: string): string {
  return shorten(text, MAX_DESCRIPTION).toWellFormed();
}
