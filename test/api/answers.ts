import { create, type DescService, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { expect } from "vitest";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type CallOptions, clientsOf, type Outcome, type Transports } from "../edges/transports.js";
import { type TestService, tokenOf } from "../support/service.js";
import type { Example } from "./examples/example.js";
import type { Known } from "./examples/known.js";

type AnyCaller = (s: DescService, method: string, requests: object[], o: CallOptions) => Promise<Outcome>;

/** A client of each kind, by name, for this service. */
export function transportsOf(service: () => TestService): [name: string, client: AnyCaller][] {
  const clients = clientsOf(() => {
    const { grpcPort, httpUrl } = service();
    return { grpcPort, http: httpUrl } as Transports;
  });
  return Object.entries(clients) as unknown as [string, AnyCaller][];
}

/** Returns a token for each kind of caller. An anonymous caller has none. */
export async function tokensOfCallers(): Promise<Readonly<Record<string, string>>> {
  return {
    learner: await tokenOf({ username: "ana" }),
    staff: await tokenOf({ username: "registrar", isStaff: true }),
    reader: await tokenOf({ username: "reports", service: "read" }),
    platform: await tokenOf({ username: "lms", service: "write" }),
  };
}

/** The result of a call in JSON, without the parts that may differ between protocols. */
export interface Answer {
  readonly code: string;
  readonly message: string | undefined;
  /** Reasons and fields of an error. */
  readonly details: JsonValue | undefined;
  readonly responses: JsonValue[];
}

/** The service, the callers' tokens, and the objects that requests can name. */
interface CallContext {
  readonly service: TestService;
  readonly tokens: Readonly<Record<string, string>>;
  readonly known: Known;
}

export async function answerOf(client: AnyCaller, example: Example, context: CallContext): Promise<Answer> {
  const { method } = example;
  const token = context.tokens[example.as];
  const options = token === undefined ? {} : { token };
  const requests = example.requests(context.known);
  const outcome =
    method === ENDLESS
      ? await listenTo(client, requests, options, context.service)
      : await client(method.parent, method.localName, requests, options);
  const responses = outcome.responses.map((response) => toJson(method.output, response));
  const text = JSON.stringify({ message: outcome.message, details: shownDetails(outcome), responses })
    .replaceAll(/~\d+~/g, "~") // the number of a transport
    .replaceAll(/\bschool-\d+/g, "school")
    .replaceAll(/"etag":"[^"]+"/g, '"etag":"of this content"')
    .replaceAll(/,"(durationMs|oldestSeconds)":[\d.]+|"(durationMs|oldestSeconds)":[\d.]+,?/g, "") // absent if 0
    .replaceAll(/#sign-in=[\w-]{22}/g, "#sign-in")
    .replaceAll(/\?invitation=[\w-]{32}/g, "?invitation")
    .replaceAll(/"kid":"[\w-]{16}"/g, '"kid":"of a new key"')
    .replaceAll(/\/preview\/[\w-]{32}\//g, "/preview/")
    .replaceAll(/"(offerUri|txCode)":"[^"]+"/g, '"$1":"a random code"')
    .replaceAll(/expires=\d+&signature=[\w-]+/g, "…")
    .replaceAll(
      /"(correctTime|expireTime|uploadTime|endTime|pdf|secret|createTime|updateTime|setTime|nextAttemptTime|previousSecretExpireTime)":"[^"]+"/g,
      '"$1":"…"',
    )
    .replaceAll(/"content":"[^"]+"/g, method.name === "GetLearnerRecord" ? '"content":"signed now"' : "$&");
  const created = /^(Create|Claim)/.test(method.name)
    ? text
        .replaceAll(/"(uuid|verifyUuid)":"[^"]+"/g, '"$1":"a new one"')
        .replaceAll(/"id":(\d+|"[^"]+")/g, '"id":0')
        .replaceAll(/"etag":"[^"]+"/g, '"etag":"of its name"')
    : text;
  const {
    message,
    details,
    responses: shown,
  } = JSON.parse(created.replaceAll("…}", '"…":1}').replaceAll(",…", ""));
  return {
    code: outcome.code === undefined ? "OK" : (Code[outcome.code] as string),
    message,
    details,
    responses: shown,
  };
}

function shownDetails({ details }: Outcome): JsonValue | undefined {
  if (!details) return undefined;
  return {
    info: details.info.map((info) => toJson(ErrorInfoSchema, info)),
    badRequest: details.badRequest.map((fields) => toJson(BadRequestSchema, fields)),
  };
}

const ENDLESS = CredentialService.method.watchCredentialEvents;

/** Watches up to the last event. The division into messages depends on timing and is ignored. */
async function listenTo(client: AnyCaller, requests: object[], options: CallOptions, service: TestService) {
  const { knex } = service.app.database;
  await expect.poll(() => knex("unsealed_credential_events")).toEqual([]);
  const { position: last } = await knex("credential_event_head").first("position");
  const events: MessageShape<typeof ENDLESS.output>["events"] = [];
  const enough = new AbortController();
  const outcome = await client(ENDLESS.parent, ENDLESS.localName, requests, {
    ...options,
    signal: enough.signal,
    onResponse(message) {
      events.push(...(message as MessageShape<typeof ENDLESS.output>).events);
      if (events.length === 0 || events.at(-1)?.position === BigInt(last)) enough.abort();
    },
  });
  return enough.signal.aborted ? { responses: [create(ENDLESS.output, { events })] } : outcome;
}
