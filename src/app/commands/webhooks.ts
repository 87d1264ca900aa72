import { type Command, InvalidArgumentError } from "commander";
import type { Act } from "#api/pipeline/recorded-act.js";
import { webhookService } from "#api/services/administration/webhook-service.js";
import { presentedType } from "#api/services/credentials/event-handlers.js";
import { type CredentialEventType, eventTypes } from "#domain/credentials/events/append-events.js";
import { isUuid } from "#domain/credentials/uuid.js";
import { listAttempts } from "#domain/webhooks/attempt-store.js";
import { listEndpoints } from "#domain/webhooks/endpoint-store.js";
import { DEFAULT_WINDOW } from "#domain/webhooks/manage-endpoints.js";
import { sendingDepsOf } from "#domain/webhooks/sending-deps.js";
import type { EndpointWithLag } from "#domain/webhooks/webhook-endpoint.js";
import { printable } from "#foundation/errors.js";
import { OVERLAP_HOURS } from "#foundation/limits.js";
import { WebhookAttemptOutcome } from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { columnOf } from "#infrastructure/db/columns.js";
import type { App } from "../app.js";
import { addYesOption, confirm, shouldConfirm } from "./confirm.js";
import { localClient } from "./local-client.js";
import { oneOf, several } from "./option-values.js";
import { print } from "./print.js";
import { withApp } from "./with-app.js";

const MAX_ATTEMPTS = 100;

/** Options of `create` and `update`; undefined if not passed. */
interface SettingOptions {
  readonly url?: string;
  readonly event?: readonly CredentialEventType[];
  readonly description?: string;
  readonly window?: number;
  readonly batch?: number;
  readonly skipRejectedAfter?: number;
  readonly contact?: string;
}

type Work = (client: ReturnType<typeof clientOf>, signal: AbortSignal) => Promise<string>;

export function addCommand(program: Command): void {
  const webhooks = program
    .command("webhooks")
    .description("manage webhook endpoints, to which events are sent");

  addEndpoints(webhooks);
  addPausing(webhooks);
  addDeliveries(webhooks);
}

function addEndpoints(webhooks: Command): void {
  withSettings(
    webhooks
      .command("create")
      .description("create an endpoint, and print its ID and its secret, which is never shown again")
      .argument("<url>", "URL to send events to: https://…"),
  )
    .option(
      "--after <position>",
      "start after this position; 0 starts with the first event (default: the next event)",
      parseNumber,
    )
    .action((url: string, options: SettingOptions & { readonly after?: number }) =>
      run("webhooks create", async (client) => {
        const { after, ...filterOptions } = options;
        const created = await client.createWebhookEndpoint({
          webhookEndpoint: { ...settingsOf(filterOptions), url },
          ...(after !== undefined && { afterPosition: BigInt(after) }),
        });
        return `id: ${created.webhookEndpoint?.id}\nsecret: ${created.secret}`;
      }),
    );

  webhooks
    .command("list")
    .description("list endpoints: ID, state, pending events, last success, URL, and what is wrong")
    .action(() =>
      withApp(async ({ database }) => {
        for (const each of await listEndpoints(database.knex)) process.stdout.write(`${lineOf(each)}\n`);
      }),
    );

  withSettings(
    onEndpoint(webhooks, "update", "change settings of an endpoint; its position and secret don't change"),
  )
    .option("--url <url>", "URL to send events to")
    .action((id: string, options: SettingOptions) =>
      run("webhooks update", async (client) => {
        const settings = settingsOf(options);
        const updateMask = { paths: Object.keys(settings).map(columnOf) };
        await client.updateWebhookEndpoint({ webhookEndpoint: { ...settings, id }, updateMask });
        return `updated ${id}`;
      }),
    );

  addYesOption(onEndpoint(webhooks, "delete", "delete an endpoint and its delivery attempts")).action(
    (id: string, options: { readonly yes: boolean }) =>
      run("webhooks delete", async (client, signal) => {
        if (shouldConfirm(options))
          await confirm("The endpoint's position in the events is lost. Delete the endpoint?", signal);
        await client.deleteWebhookEndpoint({ id });
        return `deleted ${id}`;
      }),
  );

  onEndpoint(webhooks, "rotate", "replace the secret, and print the new one, which is never shown again")
    .option(
      "--overlap <hours>",
      "how long requests are also signed with the previous secret, 0 to 720",
      parseNumber,
      OVERLAP_HOURS.default,
    )
    .action((id: string, { overlap: overlapHours }: { readonly overlap: number }) =>
      run(
        "webhooks rotate",
        async (client) => (await client.rotateWebhookSecret({ id, overlapHours })).secret,
      ),
    );
}

function addPausing(webhooks: Command): void {
  onEndpoint(webhooks, "pause", "pause an endpoint; events are sent once it is enabled again")
    .alias("disable")
    .action((id: string) =>
      run("webhooks pause", async (client) => {
        await client.pauseWebhookEndpoint({ id });
        return `paused ${id}: events are kept until it is enabled`;
      }),
    );

  onEndpoint(
    webhooks,
    "enable",
    "enable an endpoint that was paused or disabled; it continues where it stopped",
  ).action((id: string) =>
    run("webhooks enable", async (client) => {
      await client.enableWebhookEndpoint({ id });
      return `enabled ${id}`;
    }),
  );
}

function addDeliveries(webhooks: Command): void {
  onEndpoint(
    webhooks,
    "test",
    "send an event of the type webhook.test, and show the response; the exit code is 1 if it was not accepted",
  ).action((id: string) =>
    run("webhooks test", async (client) => {
      const { outcome, status, durationMs, error, answer } = await client.sendTestWebhook({ id });
      const isAccepted = outcome === WebhookAttemptOutcome.DELIVERED;
      if (!isAccepted) process.exitCode = 1;
      const responseLine = answer === "" ? "" : `\nResponse: ${printable(answer, 200)}`;
      return isAccepted
        ? `accepted with ${status} in ${durationMs} ms${responseLine}`
        : `not accepted: ${error} (${durationMs} ms)${responseLine}`;
    }),
  );

  onEndpoint(webhooks, "replay", "send the events after a position again, or skip to a later position")
    .argument("<position>", "position after which to start; 0 starts with the first event", parseNumber)
    .action((id: string, position: number) =>
      run("webhooks replay", async (client) => {
        await client.replayWebhookEvents({ id, afterPosition: BigInt(position) });
        return `${id} continues after position ${position}`;
      }),
    );

  onEndpoint(webhooks, "skip", "skip one event that the receiver rejects")
    .argument("<position>", "position of the event, as shown by `attempts`", parseNumber)
    .action((id: string, position: number) =>
      run("webhooks skip", async (client) => {
        await client.skipWebhookEvent({ id, position: BigInt(position) });
        return `${id} skips position ${position}`;
      }),
    );

  onEndpoint(
    webhooks,
    "attempts",
    `list the last ${MAX_ATTEMPTS} delivery attempts: time, positions, attempt, outcome, ms, error`,
  )
    .option("--failures", "only attempts that were not accepted", false)
    .action((id: string, { failures }: { readonly failures: boolean }) =>
      withApp(async ({ database }) => {
        const filter = { endpointId: id, failuresOnly: failures };
        for (const each of await listAttempts(database.knex, filter, 0, MAX_ATTEMPTS)) {
          const { at, kind, firstPosition, lastPosition, attempt, outcome, status, ms, error } = each;
          const range =
            firstPosition === lastPosition ? `${firstPosition}` : `${firstPosition}-${lastPosition}`;
          const what = firstPosition === null ? kind : range;
          const fields = [at.toISOString(), what, `#${attempt}`, outcome, status ?? "-", `${ms} ms`, error];
          process.stdout.write(`${fields.join("\t").trimEnd()}\n`);
        }
      }),
    );
}

function withSettings(command: Command): Command {
  return command
    .option(
      "--event <type>",
      `send only events of this type (repeatable): ${eventTypes.join(", ")}`,
      several(oneOf(eventTypes)),
    )
    .option("--description <text>", "description, for your own records")
    .option(
      "--window <events>",
      `by how many events the order of delivery can differ, 1 to 64 (default: ${DEFAULT_WINDOW}); with 1, all events arrive in order`,
      parsePositive,
    )
    .option("--batch <events>", "maximum number of events per request, 1 to 100 (default: 1)", parsePositive)
    .option(
      "--skip-rejected-after <attempts>",
      "skip an event after it was rejected this many times (default: never)",
      parsePositive,
    )
    .option("--contact <address>", "email address to notify when the service disables the endpoint");
}

function onEndpoint(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).argument("<id>", "endpoint ID", parseEndpointId);
}

/** Runs a subcommand and prints its result. */
function run(act: Extract<Act, `webhooks ${string}`>, work: Work): Promise<void> {
  return withApp(async (app, signal) => print(await work(clientOf(app, signal, act), signal)));
}

function clientOf(app: App, signal: AbortSignal, act: Act) {
  return localClient(app, signal, act, WebhookService, webhookService(sendingDepsOf(app)));
}

function settingsOf({ event, ...more }: SettingOptions) {
  return { ...more, ...(event && { eventTypes: event.map((type) => presentedType[type]) }) };
}

function lineOf(endpoint: EndpointWithLag): string {
  const { id, state, lag, lastSuccessAt, url, stateReason, failingSince } = endpoint;
  const success = lastSuccessAt?.toISOString() ?? "never";
  const failing = failingSince === null ? "" : `failing since ${failingSince.toISOString()}`;
  return [id, state, `${lag} waiting`, success, printable(url, 2000), stateReason || failing]
    .join("\t")
    .trimEnd();
}

function parseEndpointId(text: string): string {
  if (isUuid(text)) return text;
  throw new InvalidArgumentError("It must be an id, as `webhooks list` shows it.");
}

/** Parses a positive number. 0 is rejected, because it would have the same effect as omitting the option. */
function parsePositive(text: string): number {
  const number = parseNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("It must be at least 1.");
}

function parseNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}
