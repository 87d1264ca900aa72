import { type AnyDesc, type DescField, getOption } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { self_unless_staff } from "#gen/learning_credentials/options/v1/options_pb.js";
import { comments } from "#gen/learning_credentials/v1/comments.js";
import { httpStatus } from "../http/http-status.js";

/**
 * HTTP statuses by the name of a gRPC code, for example `NOT_FOUND`. Codes of one word are omitted, because in a
 * comment they may be ordinary words.
 */
const statuses = new Map(
  Object.entries(httpStatus)
    .map(([code, status]) => [screamingSnake(Code[Number(code)] ?? ""), String(status)] as const)
    .filter(([name]) => name.includes("_")),
);
const codeName = new RegExp(`\\b(${[...statuses.keys()].join("|")})\\b`, "g");

/** Returns the .proto comment of a service, method or message. Replaces gRPC codes with HTTP statuses. */
export function commentOf(desc: AnyDesc): string {
  return (comments[String(desc)] ?? "").replaceAll(codeName, (name) => statuses.get(name) ?? name);
}

export function describeField(field: DescField): string {
  const comment = commentOf(field);
  return getOption(field, self_unless_staff)
    ? `${comment} Callers who aren't staff can only pass their own.`
    : comment;
}

function screamingSnake(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}
