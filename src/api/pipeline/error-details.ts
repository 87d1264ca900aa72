import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Problem } from "#foundation/errors.js";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** Whose reasons these are. */
const DOMAIN = "learning-credentials";

/** A description travels in a gRPC header beside the message, which has the whole text. */
const MAX_DESCRIPTION = 200;

/** What the details of an error are made from. */
export type Explained = Pick<Problem, "reason"> & Partial<Pick<Problem, "field" | "facts">>;

interface Detail {
  readonly desc: DescMessage;
  readonly value: MessageInitShape<DescMessage>;
}

/** Returns the details of an error for programs. They are encoded only by the protocols that send them. */
export function errorDetails({ reason, field, facts }: Explained, message: string): Detail[] {
  const info = {
    desc: ErrorInfoSchema,
    value: { reason, domain: DOMAIN, metadata: wellFormed(facts ?? {}) },
  };
  if (field === undefined) return [info];
  const description = shortened(message);
  const fieldViolations = [{ field: field.toWellFormed(), description, reason }];
  return [info, { desc: BadRequestSchema, value: { fieldViolations } }];
}

function wellFormed(facts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, shortened(value)]));
}

function shortened(text: string): string {
  return text.length > MAX_DESCRIPTION
    ? `${text.slice(0, MAX_DESCRIPTION).toWellFormed()}…`
    : text.toWellFormed();
}
