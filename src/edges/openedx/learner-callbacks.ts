import type { IncomingMessage, ServerResponse } from "node:http";
import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { invalid, Problem } from "../../errors.js";
import type { AdmittedCall } from "../../pipeline/admitted-call.js";
import type { Pipeline } from "../../pipeline/pipeline.js";
import type { ClientOf } from "../http/client-address.js";
import { httpStatusOf } from "../http/http-status.js";
import { toInbound } from "../http/inbound.js";
import type { HttpHandler } from "../http/server.js";
import { readSmallBody } from "../http/small-body.js";

/** What the paths for Open edX need. */
export interface CallbackDeps {
  readonly pipeline: Pipeline;
  readonly clientOf: ClientOf;
}

interface Answer {
  readonly status: number;
  readonly body?: object;
}

/** Makes the call of a path, after it was admitted. */
interface Callback {
  readonly method: DescMethodUnary;
  answer(call: AdmittedCall, body: unknown): Promise<Answer>;
}

const { eraseLearner, renameLearners } = LearnerRecordService.method;

const callbacks: ReadonlyMap<string, Callback> = new Map([
  ["/user/retire/", { method: eraseLearner, answer: retire }],
  ["/api/v2/replace_usernames/", { method: renameLearners, answer: replaceUsernames }],
]);

/**
 * The two paths that scripts of Open edX call at the base URL of its credentials service: `POST /user/retire/` (user_retirement)
 * and `POST /api/v2/replace_usernames/` (username replacement). They are the methods `EraseLearner` and `RenameLearners` in
 * the words of the platform.
 */
export function createLearnerCallbacks(deps: CallbackDeps): HttpHandler {
  return (request, response) => {
    const callback = callbacks.get((request.url ?? "").split("?", 1)[0] ?? "");
    if (!callback) return false;
    if (request.method === "POST") void serve(deps, callback, request, response);
    else send(response, { status: 405, body: { detail: "Only POST is allowed here." } }, { allow: "POST" });
    return true;
  };
}

/** Never rejects. */
async function serve(
  { pipeline, clientOf }: CallbackDeps,
  { method, answer }: Callback,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const inbound = toInbound(request, response, clientOf(request));
    // A foreign page could make a browser post with its user's cookies.
    const credentials = { ...inbound.credentials, cookie: undefined };
    const call = await pipeline.admit(method, { ...inbound, credentials });
    send(response, await answer(call, await readJson(call, request)));
  } catch (error) {
    const failure = ConnectError.from(error);
    const retryAfter = failure.metadata.get("retry-after");
    const headers = retryAfter === null ? {} : { "retry-after": retryAfter };
    send(response, { status: httpStatusOf(failure), body: { detail: failure.rawMessage } }, headers);
  }
}

/** The platform asks again until it succeeds: somebody who is not known is retired, too. */
async function retire(call: AdmittedCall, body: unknown): Promise<Answer> {
  const username = isObject(body) ? body.username : undefined;
  if (typeof username !== "string") throw call.refuse(invalid('The body must be like {"username": "ana"}.'));
  try {
    await call.unary({ request: create(eraseLearner.input, { username }) });
  } catch (error) {
    if (ConnectError.from(error).code !== Code.NotFound) throw error;
  }
  return { status: 204 };
}

async function replaceUsernames(call: AdmittedCall, body: unknown): Promise<Answer> {
  const renames = isObject(body) ? renamesIn(body.username_mappings) : undefined;
  if (!renames)
    throw call.refuse(invalid('The body must be like {"username_mappings": [{"ana": "ana.kovac"}]}.'));
  const request = create(renameLearners.input, { renames });
  const { renamed, refused } = (await call.unary({ request })) as MessageShape<typeof renameLearners.output>;
  return {
    status: 200,
    body: {
      successful_replacements: renamed.map(mapping),
      failed_replacements: refused.flatMap(({ rename }) => (rename ? [mapping(rename)] : [])),
    },
  };
}

type Rename = NonNullable<MessageInitShape<typeof renameLearners.input>["renames"]>[number];

/** @returns undefined if the mappings are no list of objects with one name each */
function renamesIn(mappings: unknown): Rename[] | undefined {
  if (!Array.isArray(mappings)) return undefined;
  const renames: Rename[] = [];
  for (const one of mappings) {
    const [entry, ...more] = isObject(one) ? Object.entries(one) : [];
    if (!entry || more.length > 0 || typeof entry[1] !== "string") return undefined;
    renames.push({ username: entry[0], newUsername: entry[1] });
  }
  return renames;
}

/** The name is data: also `__proto__` becomes a key of its own. */
function mapping({ username, newUsername }: { username: string; newUsername: string }): object {
  return Object.fromEntries([[username, newUsername]]);
}

async function readJson(call: AdmittedCall, request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await readSmallBody(request));
  } catch (error) {
    if (error instanceof SyntaxError) throw call.refuse(invalid("The body must be JSON."));
    throw call.refuse(
      error instanceof Problem ? error : new Problem("cancelled", "The request was cut off."),
    );
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function send(
  response: ServerResponse,
  { status, body }: Answer,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  const bytes = body && Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, {
      ...headers,
      "cache-control": "no-store",
      ...(bytes && { "content-type": "application/json", "content-length": bytes.length }),
    })
    .end(bytes);
}
