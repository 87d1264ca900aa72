import {
  create,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { auditRule } from "#api/pipeline/audit-rule.js";
import { AuditedCall } from "#api/pipeline/audited-call.js";
import type { Call, Handlers } from "#api/pipeline/handlers.js";
import { type Act, outcomeOf } from "#api/pipeline/recorded-act.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { SUCCEEDED } from "#infrastructure/audit/audit-entry.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import type { App } from "../app.js";
import { commandEntry } from "./audited.js";

/** Methods that a command calls in its own process. */
type LocalClient<S extends DescService, Names extends keyof S["method"]> = {
  [Name in Names]: S["method"][Name] extends DescMethodUnary<infer I, infer O>
    ? (request: MessageInitShape<I>) => Promise<MessageShape<O>>
    : never;
};

/**
 * Returns a client that calls handlers in this process as the command line, with the checks of the API, and records the
 * calls and their changes in the audit trail. Calls fail with the `Problem` of their handler.
 * @param act the command under whose name calls are recorded
 */
export function localClient<S extends DescService, Names extends keyof S["method"] & string>(
  { audit }: App,
  signal: AbortSignal,
  act: Act,
  service: S,
  handlers: Pick<Handlers<S>, Names>,
): LocalClient<S, Names> {
  async function call(method: DescMethod, handler: Handler, init: Init): Promise<object> {
    const entry = commandEntry(act);
    const rule = auditRule(method);
    const audited = rule && new AuditedCall(audit, rule, entry);
    const request = create(method.input, init);
    const cancellation = new Cancellation();
    signal.addEventListener("abort", () => cancellation.cancel(signal.reason), { once: true });
    const context = {
      caller: { kind: "system", username: COMMAND_LINE.name },
      signal,
      cancellation,
      requestId: entry.requestId,
      client: entry.source,
      charge() {},
      changed: (...change) => audited?.changed(...change),
    } satisfies Call;
    await audited?.admit(context, request);
    try {
      const response = create(method.output, await handler(request, context));
      audited?.end(SUCCEEDED);
      return response;
    } catch (error) {
      audited?.end(outcomeOf(error));
      throw error;
    }
  }
  const methods = Object.entries<Handler>(handlers as Record<Names, Handler>).map(
    ([name, handler]) =>
      [name, (init: Init) => call(service.method[name] as DescMethod, handler, init)] as const,
  );
  return Object.fromEntries(methods) as LocalClient<S, Names>;
}

type Init = Record<string, unknown>;
type Handler = (request: object, call: Call) => Promise<Init>;
