import { Readable } from "node:stream";
import {
  create,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { auditRule } from "#api/pipeline/audit-rule.js";
import type { Call, Handlers } from "#api/pipeline/handlers.js";
import type { Act } from "#api/pipeline/recorded-act.js";
import { withRecording } from "#api/pipeline/recording.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import type { App } from "../app.js";
import { commandEntry } from "./audited.js";

/**
 * Methods that a command calls in its own process. For a server stream, the caller passes a function that receives the
 * messages.
 */
type LocalClient<S extends DescService, Names extends keyof S["method"]> = {
  [Name in Names]: S["method"][Name] extends DescMethodUnary<infer I, infer O>
    ? (request: MessageInitShape<I>) => Promise<MessageShape<O>>
    : S["method"][Name] extends DescMethodClientStreaming<infer I, infer O>
      ? (requests: readonly MessageInitShape<I>[]) => Promise<MessageShape<O>>
      : S["method"][Name] extends DescMethodServerStreaming<infer I, infer O>
        ? (request: MessageInitShape<I>, onMessage: (message: MessageShape<O>) => unknown) => Promise<unknown>
        : never;
};

/**
 * Returns a client that calls the API's handlers in this process on behalf of the command line. The API's checks apply,
 * and the calls and their changes are recorded in the audit trail. A failed call throws the handler's `Problem`.
 * @param act the command under whose name calls are recorded
 */
export function localClient<S extends DescService, Names extends keyof S["method"] & string>(
  { audit }: App,
  signal: AbortSignal,
  act: Act,
  service: S,
  handlers: Pick<Handlers<S>, Names>,
): LocalClient<S, Names> {
  const call = (method: DescMethod, handler: Handler, init: Init | readonly Init[], onMessage?: OnMessage) =>
    withRecording(audit, async (recording) => {
      const entry = commandEntry(act);
      const rule = auditRule(method);
      const requests = [init].flat().map((each) => create(method.input, each));
      const cancellation = new Cancellation();
      signal.addEventListener("abort", () => cancellation.cancel(signal.reason), { once: true });
      const context = {
        caller: { kind: "system", username: COMMAND_LINE.name },
        signal,
        cancellation,
        requestId: entry.requestId,
        client: entry.source,
        charge() {},
        changed: (...change) => recording.changed(...change),
      } satisfies Call;
      for (const request of requests) {
        const objects = rule?.objectsOf(context.caller, request);
        if (objects) await recording.enter({ ...entry, ...objects }, signal);
      }
      const isClientStream = method.methodKind === "client_streaming";
      const answer = handler(isClientStream ? Readable.from(requests) : requests[0], context);
      if (!(Symbol.asyncIterator in answer)) return create(method.output, await answer);
      for await (const message of answer) await onMessage?.(create(method.output, message));
      return undefined;
    });
  const methods = Object.entries<Handler>(handlers as Record<Names, Handler>).map(
    ([name, handler]) =>
      [
        name,
        (init: Init | readonly Init[], onMessage?: OnMessage) =>
          call(service.method[name] as DescMethod, handler, init, onMessage),
      ] as const,
  );
  return Object.fromEntries(methods) as LocalClient<S, Names>;
}

type Init = Record<string, unknown>;
type Handler = (request: unknown, call: Call) => Promise<Init> | AsyncIterable<Init>;
type OnMessage = (message: unknown) => unknown;
