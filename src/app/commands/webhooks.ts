import { type Command, InvalidArgumentError } from "commander";
import type { CredentialEventType } from "#domain/credentials/events/append-events.js";
import { eventTypes } from "#domain/credentials/events/append-events.js";
import { isUuid } from "#domain/credentials/uuid.js";
import { listAttempts } from "#domain/webhooks/attempt-store.js";
import { listEndpoints } from "#domain/webhooks/endpoint-store.js";
import {
  changeEndpoint,
  createEndpoint,
  DEFAULT_OVERLAP_HOURS,
  DEFAULT_WINDOW,
  type EndpointDeps,
  enableEndpoint,
  pauseEndpoint,
  removeEndpoint,
  replayEvents,
  rotateEndpointSecret,
  skipEvent,
} from "#domain/webhooks/manage-endpoints.js";
import { sendTestWebhook } from "#domain/webhooks/send-test.js";
import { sendingDepsOf } from "#domain/webhooks/sending-deps.js";
import type { EndpointSettings, EndpointWithLag } from "#domain/webhooks/webhook-endpoint.js";
import { printable } from "#foundation/text/quoted.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { reachableHost } from "#runtime/settings/reachable-host.js";
import type { App } from "../app.js";
import { audited } from "./audited.js";
import { canAsk, confirm, withYes } from "./confirm.js";
import { oneOf, several } from "./option-values.js";
import { withApp } from "./with-app.js";

const SHOWN = 100;

/** Options of `create` and `update`; undefined: not given. */
interface SettingOptions {
  readonly url?: string;
  readonly event?: readonly CredentialEventType[];
  readonly description?: string;
  readonly window?: number;
  readonly batch?: number;
  readonly skipRejectedAfter?: number;
  readonly contact?: string;
}

type Work = (deps: EndpointDeps, id: string, signal: AbortSignal, app: App) => Promise<string>;

export function addCommand(program: Command): void {
  const webhooks = program.command("webhooks").description("manage the endpoints to which events are posted");

  withSettings(
    webhooks
      .command("create")
      .description("create an endpoint, and print its id and its secret, which is never shown again")
      .argument("<url>", "where events are posted: https://…"),
  )
    .option(
      "--after <position>",
      "begin after this event; 0 is the first one (default: the next event)",
      parseNumber,
    )
    .action((url: string, options: SettingOptions & { readonly after?: number }) =>
      withApp(async (app, signal) => {
        const { after, ...given } = options;
        await audited(app, signal, "webhooks create", {}, async (concerns) => {
          const settings = { ...defaults, ...settingsOf(given), url };
          const { name } = COMMAND_LINE;
          const { endpoint, secret } = await createEndpoint(depsOf(app), settings, name, after, signal);
          await concerns(about(endpoint.id));
          process.stdout.write(`id: ${endpoint.id}\nsecret: ${secret}\n`);
        });
      }),
    );

  webhooks
    .command("list")
    .description("list the endpoints: id, state, waiting events, last success, URL, and what is wrong")
    .action(() =>
      withApp(async ({ database }) => {
        for (const each of await listEndpoints(database.knex)) process.stdout.write(`${lineOf(each)}\n`);
      }),
    );

  withSettings(onEndpoint(webhooks, "update", "change settings; its place and its secret stay"))
    .option("--url <url>", "where events are posted")
    .action((id: string, options: SettingOptions) =>
      run("update", id, async (deps, _, signal) => {
        await changeEndpoint(deps, id, settingsOf(options), signal);
        return `updated ${id}`;
      }),
    );

  simple(webhooks, "pause", "have events wait until it is enabled", async (deps, id) => {
    await pauseEndpoint(deps, id);
    return `paused ${id}: events wait`;
  }).alias("disable");

  simple(webhooks, "enable", "go on where it was paused or disabled", async (deps, id) => {
    await enableEndpoint(deps, id);
    return `enabled ${id}`;
  });

  withYes(onEndpoint(webhooks, "delete", "delete it, with the list of its attempts")).action(
    (id: string, options: { readonly yes: boolean }) =>
      run("delete", id, async (deps, _, signal) => {
        if (canAsk(options)) await confirm("Its place in the events is lost. Delete it?", signal);
        await removeEndpoint(deps, id);
        return `deleted ${id}`;
      }),
  );

  onEndpoint(webhooks, "rotate", "make a new secret, and print it; it is never shown again")
    .option(
      "--overlap <hours>",
      "how long requests are signed with the previous one, too: 0 to 720",
      parseNumber,
      DEFAULT_OVERLAP_HOURS,
    )
    .action((id: string, { overlap }: { readonly overlap: number }) =>
      run("rotate", id, async (deps) => (await rotateEndpointSecret(deps, id, overlap)).secret),
    );

  simple(
    webhooks,
    "test",
    "post an event of the type webhook.test, and show the answer; the exit code is 1 if it was not accepted",
    async (_, id, __, app) => {
      const { outcome, status, ms, error, excerpt } = await sendTestWebhook(sendingOf(app), id);
      if (outcome !== "delivered") process.exitCode = 1;
      const said = excerpt === "" ? "" : `\nIts answer begins: ${printable(excerpt, 200)}`;
      return outcome === "delivered"
        ? `accepted with ${status} in ${ms} ms${said}`
        : `not accepted: ${error} (${ms} ms)${said}`;
    },
  );

  onEndpoint(webhooks, "replay", "post again what follows a position, or go on behind what nobody needs")
    .argument("<position>", "0 is the first event", parseNumber)
    .action((id: string, position: number) =>
      run("replay", id, async (deps, _, signal) => {
        await replayEvents(deps, id, position, signal);
        return `${id} goes on after position ${position}`;
      }),
    );

  onEndpoint(webhooks, "skip", "skip one event, because the receiver rejects it")
    .argument("<position>", "the event's, as `attempts` shows it", parseNumber)
    .action((id: string, position: number) =>
      run("skip", id, async (deps, _, signal) => {
        await skipEvent(deps, id, position, signal);
        return `${id} skips position ${position}`;
      }),
    );

  onEndpoint(
    webhooks,
    "attempts",
    `list the last ${SHOWN} attempts: time, positions, attempt, outcome, ms, error`,
  )
    .option("--failures", "only those that were not accepted", false)
    .action((id: string, { failures }: { readonly failures: boolean }) =>
      withApp(async ({ database }) => {
        const filter = { endpointId: id, failuresOnly: failures };
        for (const each of await listAttempts(database.knex, filter, 0, SHOWN)) {
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

const defaults = {
  description: "",
  eventTypes: [],
  window: DEFAULT_WINDOW,
  batch: 1,
  skipRejectedAfter: null,
  contact: "",
} satisfies Omit<EndpointSettings, "url">;

function withSettings(command: Command): Command {
  return command
    .option(
      "--event <type>",
      `post only events of this type (repeatable): ${eventTypes.join(", ")}`,
      several(oneOf(eventTypes)),
    )
    .option("--description <text>", "for your own records")
    .option(
      "--window <events>",
      `1 to 64: how far events of different credentials may overtake one another (default: ${DEFAULT_WINDOW})`,
      parseNumber,
    )
    .option("--batch <events>", "1 to 100: maximum number of events in one request (default: 1)", parseNumber)
    .option(
      "--skip-rejected-after <attempts>",
      "skip an event that was rejected so often (default: never)",
      parseNumber,
    )
    .option("--contact <address>", "the mail address that is told when the service disables the endpoint");
}

function onEndpoint(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).argument("<id>", "the endpoint", parseEndpointId);
}

/** Adds a subcommand that takes nothing but the endpoint. */
function simple(parent: Command, name: string, description: string, work: Work): Command {
  return onEndpoint(parent, name, description).action((id: string) => run(name, id, work));
}

/** Runs a subcommand, enters it in the audit trail, and prints what it returns. */
function run(name: string, id: string, work: Work): Promise<void> {
  return withApp((app, signal) =>
    audited(app, signal, `webhooks ${name}`, about(id), async () => {
      process.stdout.write(`${await work(depsOf(app), id, signal, app)}\n`);
    }),
  );
}

function about(id: string) {
  return { others: [`webhook:${id}`] };
}

function sendingOf(app: App) {
  const { publicUrl, config } = app;
  publicUrl.setDefault(`http://${reachableHost(config.host)}:${config.httpPort}`);
  return sendingDepsOf(app);
}

function depsOf(app: App): EndpointDeps {
  const sending = sendingDepsOf(app);
  return { ...sending, rule: sending.posting.rule };
}

function settingsOf(options: SettingOptions): Partial<EndpointSettings> {
  const { url, event, description, window, batch, skipRejectedAfter, contact } = options;
  return {
    ...(url !== undefined && { url }),
    ...(event !== undefined && { eventTypes: event }),
    ...(description !== undefined && { description }),
    ...(window !== undefined && { window: window }),
    ...(batch !== undefined && { batch: batch }),
    ...(skipRejectedAfter !== undefined && { skipRejectedAfter }),
    ...(contact !== undefined && { contact }),
  };
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

function parseNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}
