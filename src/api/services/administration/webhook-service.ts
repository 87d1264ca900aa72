import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { listAttempts } from "#domain/webhooks/attempt-store.js";
import type { WebhookSendingDeps } from "#domain/webhooks/delivery-deps.js";
import { findEndpoint, listEndpoints } from "#domain/webhooks/endpoint-store.js";
import {
  changeEndpoint,
  createEndpoint,
  DEFAULT_WINDOW,
  enableEndpoint,
  pauseEndpoint,
  removeEndpoint,
  replayEvents,
  rotateEndpointSecret,
  skipEvent,
  throwNoSuchEndpoint,
} from "#domain/webhooks/manage-endpoints.js";
import { sendTestWebhook } from "#domain/webhooks/send-test.js";
import type { WebhookAttempt } from "#domain/webhooks/webhook-attempt.js";
import {
  type EndpointSettings,
  type EndpointWithLag,
  endpointSettingColumns,
  type WebhookEndpoint,
} from "#domain/webhooks/webhook-endpoint.js";
import { quoted, wrongField } from "#foundation/errors.js";
import { OVERLAP_HOURS } from "#foundation/limits.js";
import {
  type WebhookEndpoint as EndpointMessage,
  WebhookAttemptKind,
  WebhookAttemptOutcome,
  type WebhookAttemptSchema,
  type WebhookEndpointSchema,
  WebhookEndpointState,
} from "#gen/learning_credentials/v1/webhook_pb.js";
import type { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { type Call, callerName, type Handlers } from "../../pipeline/handlers.js";
import { eventTypeOf, presentedType } from "../credentials/event-handlers.js";
import { checkPresent, checkUuid } from "../requests/check-request.js";
import { type FieldReaders, masked, readFields } from "../requests/field-mask.js";
import { readPage } from "../requests/page.js";
import { numbersByName } from "../requests/parse-enum.js";

export function webhookService(sending: WebhookSendingDeps): Handlers<typeof WebhookService> {
  const { database } = sending;
  const deps = { ...sending, rule: sending.posting.rule };
  const present = (id: string) => presentById(sending, id);

  /** Changes an endpoint and records the change for the audit trail. */
  async function noting(call: Call, id: string, change: () => Promise<unknown>): Promise<void> {
    const before = await findEndpoint(database.knex, id);
    await change();
    const after = await findEndpoint(database.knex, id);
    call.changed(`webhook:${id}`, before && auditedState(before), after && auditedState(after));
  }

  return {
    async createWebhookEndpoint({ webhookEndpoint, afterPosition }, call) {
      const message = checkPresent("webhook_endpoint", webhookEndpoint);
      if (message.id !== "")
        throw wrongField("webhook_endpoint.id", `is ${quoted(message.id)}: leave it empty.`);
      const from = afterPosition === undefined ? undefined : Number(afterPosition);
      const created = await createEndpoint(
        deps,
        readFields(settingFields, message),
        callerName(call.caller),
        from,
        call.signal,
      );
      call.changed(`webhook:${created.endpoint.id}`, undefined, auditedState(created.endpoint));
      return { webhookEndpoint: await present(created.endpoint.id), secret: created.secret };
    },

    async getWebhookEndpoint({ id }) {
      return present(checkEndpointId(id));
    },

    async listWebhookEndpoints() {
      const hasSecret = sending.serviceSecrets.length > 0;
      return { webhookEndpoints: (await listEndpoints(database.knex)).map(presentEndpoint), hasSecret };
    },

    async updateWebhookEndpoint({ webhookEndpoint, updateMask }, call) {
      const message = checkPresent("webhook_endpoint", webhookEndpoint);
      const id = checkEndpointId(message.id, "webhook_endpoint.id");
      const settings = masked(updateMask, settingFields, message);
      await noting(call, id, () => changeEndpoint(deps, id, settings, call.signal));
      return present(id);
    },

    async deleteWebhookEndpoint({ id }, call) {
      await noting(call, checkEndpointId(id), () => removeEndpoint(deps, id));
      return {};
    },

    async pauseWebhookEndpoint({ id }, call) {
      await noting(call, checkEndpointId(id), () => pauseEndpoint(deps, id));
      return present(id);
    },

    async enableWebhookEndpoint({ id }, call) {
      await noting(call, checkEndpointId(id), () => enableEndpoint(deps, id));
      return present(id);
    },

    async rotateWebhookSecret({ id, overlapHours = OVERLAP_HOURS.default }) {
      const { secret } = await rotateEndpointSecret(deps, checkEndpointId(id), overlapHours);
      return { webhookEndpoint: await present(id), secret };
    },

    ...deliveryHandlers(sending),
  };
}

function deliveryHandlers(sending: WebhookSendingDeps) {
  const { database } = sending;
  const deps = { ...sending, rule: sending.posting.rule };
  return {
    async sendTestWebhook({ id }) {
      const { outcome, status, ms, error, excerpt } = await sendTestWebhook(sending, checkEndpointId(id));
      return {
        outcome: presentedOutcome[outcome],
        status: status ?? 0,
        durationMs: ms,
        error,
        answer: excerpt,
      };
    },

    async replayWebhookEvents({ id, afterPosition }, { signal }) {
      await replayEvents(deps, checkEndpointId(id), Number(afterPosition), signal);
      return presentById(sending, id);
    },

    async skipWebhookEvent({ id, position }, { signal }) {
      await skipEvent(deps, checkEndpointId(id), Number(position), signal);
      return presentById(sending, id);
    },

    async listWebhookAttempts(request) {
      const filter = { endpointId: checkEndpointId(request.id), failuresOnly: request.failuresOnly };
      const { shown, nextPageToken } = await readPage(
        request,
        ["webhook attempts", filter],
        ({ afterId, limit }) => listAttempts(database.knex, filter, afterId, limit),
      );
      if (shown.length === 0) await presentById(sending, request.id);
      return { attempts: shown.map(presentAttempt), nextPageToken };
    },
  } satisfies Partial<Handlers<typeof WebhookService>>;
}

/** Returns an endpoint for the audit trail, with only the origin of its URL. The URL may contain a token. */
function auditedState(endpoint: WebhookEndpoint): object {
  const { url, ...settings } = endpointSettingColumns.pick(endpoint);
  return { ...settings, origin: new URL(url).origin, state: endpoint.state };
}

function checkEndpointId(id: string, field = "id"): string {
  return checkUuid(field, id, "the id of a webhook endpoint");
}

const settingFields: FieldReaders<EndpointMessage, EndpointSettings, SetByService> = {
  url: ({ url }) => url,
  description: ({ description }) => description,
  eventTypes: ({ eventTypes }) => eventTypes.map((type) => eventTypeOf("event_types", type)),
  window: ({ window }) => window || DEFAULT_WINDOW,
  batch: ({ batch }) => batch || 1,
  skipRejectedAfter: ({ skipRejectedAfter }) => skipRejectedAfter || null,
  contact: ({ contact }) => contact,
};

type SetByService =
  | "id"
  | "state"
  | "stateReason"
  | "deliveredUpTo"
  | "lag"
  | "oldestPendingTime"
  | "failureStartTime"
  | "nextAttemptTime"
  | "lastSuccessTime"
  | "previousSecretExpireTime"
  | "createTime"
  | "createdBy";

const presentedState = numbersByName(WebhookEndpointState);

const presentedKind = numbersByName(WebhookAttemptKind);

const presentedOutcome = numbersByName(WebhookAttemptOutcome);

/** @throws Problem `not-found` */
async function presentById({ database }: WebhookSendingDeps, id: string) {
  return presentEndpoint((await findEndpoint(database.knex, id)) ?? throwNoSuchEndpoint(id));
}

function presentEndpoint(endpoint: EndpointWithLag): MessageInitShape<typeof WebhookEndpointSchema> {
  const { id, stateReason, createdBy, oldestWaiting, failingSince, lastSuccessAt, previousUntil } = endpoint;
  const isSigningTwice = previousUntil !== null && previousUntil > new Date();
  return {
    id,
    stateReason,
    createdBy,
    ...endpointSettingColumns.pick(endpoint),
    eventTypes: endpoint.eventTypes.map((type) => presentedType[type]),
    skipRejectedAfter: endpoint.skipRejectedAfter ?? 0,
    state: presentedState[endpoint.state],
    deliveredUpTo: BigInt(endpoint.deliveredUpTo),
    lag: BigInt(endpoint.lag),
    createTime: timestampFromDate(endpoint.createdAt),
    nextAttemptTime: timestampFromDate(endpoint.nextAttemptAt),
    ...(oldestWaiting && { oldestPendingTime: timestampFromDate(oldestWaiting) }),
    ...(failingSince && { failureStartTime: timestampFromDate(failingSince) }),
    ...(lastSuccessAt && { lastSuccessTime: timestampFromDate(lastSuccessAt) }),
    ...(isSigningTwice && { previousSecretExpireTime: timestampFromDate(previousUntil) }),
  };
}

function presentAttempt(attempt: WebhookAttempt): MessageInitShape<typeof WebhookAttemptSchema> {
  return {
    id: BigInt(attempt.id),
    kind: presentedKind[attempt.kind],
    firstPosition: BigInt(attempt.firstPosition ?? 0),
    lastPosition: BigInt(attempt.lastPosition ?? 0),
    attempt: attempt.attempt,
    time: timestampFromDate(attempt.at),
    durationMs: attempt.ms,
    outcome: presentedOutcome[attempt.outcome],
    status: attempt.status ?? 0,
    error: attempt.error,
  };
}
