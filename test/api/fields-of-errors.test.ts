import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { beforeAll, expect, test } from "vitest";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LtiRosterMode, LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { LTI_SETTINGS } from "../lti/lti-service.js";
import { givenService, tokenOf } from "../support/service.js";

const service = givenService({ settings: LTI_SETTINGS });

const PLATFORM = {
  issuer: "https://lms.example.org",
  clientId: "fields",
  authorizationUrl: "https://lms.example.org/auth",
  tokenUrl: "https://lms.example.org/token",
  jwksUrl: "https://lms.example.org/keys",
};

async function clients() {
  const token = await tokenOf({ username: "lms", service: "write" });
  return {
    webhooks: await service.client(WebhookService, token),
    lti: await service.client(LtiService, token),
    credentials: await service.client(CredentialService, token),
  };
}

let known: Awaited<ReturnType<typeof clients>> & { endpoint: string; platform: number };

beforeAll(async () => {
  const all = await clients();
  const { webhookEndpoint } = await all.webhooks.createWebhookEndpoint({
    webhookEndpoint: { url: "https://hooks.example.org/" },
  });
  const { id: platform } = await all.lti.createLtiPlatform({ settings: PLATFORM });
  known = { ...all, endpoint: webhookEndpoint?.id ?? "", platform };
});

const createHook = (webhookEndpoint: object, afterPosition?: bigint) =>
  known.webhooks.createWebhookEndpoint({ webhookEndpoint, afterPosition });
const accept = (acceptance: object) => known.lti.acceptLtiPlatform({ id: known.platform, acceptance });
const importing = (credential: object) =>
  known.credentials.importCredentials(
    (async function* () {
      yield {
        credentials: [
          {
            verifyUuid: "1f0c6a5e-73b2-4d98-8e41-5a9c0d7b2f36",
            username: "ana",
            userFullName: "Ana",
            learningContextKey: "course-v1:A+B+C",
            learningContextName: "Course",
            credentialType: "Certificate",
            createTime: timestampFromDate(new Date("2020-01-02")),
            ...credential,
          },
        ],
      };
    })(),
  );

test.each<[field: string, what: string, call: () => Promise<unknown>]>([
  ["url", "no URL", () => createHook({ url: "hooks" })],
  ["url", "too long", () => createHook({ url: `https://a.example/${"x".repeat(2000)}` })],
  ["url", "another scheme", () => createHook({ url: "ftp://a.example/" })],
  ["url", "with a user", () => createHook({ url: "https://u:p@a.example/" })],
  ["url", "with a fragment", () => createHook({ url: "https://a.example/#a" })],
  ["url", "on a low port", () => createHook({ url: "https://a.example:22/" })],
  ["url", "a private address", () => createHook({ url: "https://10.0.0.1/" })],
  ["window", "too large", () => createHook({ url: "https://a.example/", window: 65 })],
  ["batch", "too large", () => createHook({ url: "https://a.example/", batch: 101 })],
  ["contact", "no address", () => createHook({ url: "https://a.example/", contact: "x" })],
  ["webhook_endpoint.id", "given", () => createHook({ id: "x", url: "https://a.example/" })],
  [
    "overlap_hours",
    "too many",
    () => known.webhooks.rotateWebhookSecret({ id: known.endpoint, overlapHours: 9999 }),
  ],
  ["after_position", "negative, of a new one", () => createHook({ url: "https://a.example/" }, -1n)],
  [
    "after_position",
    "negative",
    () => known.webhooks.replayWebhookEvents({ id: known.endpoint, afterPosition: -1n }),
  ],
  ["position", "negative", () => known.webhooks.skipWebhookEvent({ id: known.endpoint, position: -1n })],
  [
    "jwks_url",
    "no URL",
    () => known.lti.createLtiPlatform({ settings: { ...PLATFORM, clientId: "2", jwksUrl: "keys" } }),
  ],
  ["organisations", "none", () => accept({ organisations: [] })],
  [
    "organisations",
    "too many",
    () => accept({ organisations: Array.from({ length: 51 }, (_, n) => `o${n}`) }),
  ],
  ["organisations", "invalid", () => accept({ organisations: ["a b"] })],
  [
    "frame_origins",
    "no origin",
    () =>
      known.lti.decideLtiDeployment({
        platformId: known.platform,
        deploymentId: "5",
        accepted: true,
        frameOrigins: ["https://a.example/path"],
      }),
  ],
  [
    "rosters",
    "with a connector",
    () => accept({ organisations: ["a"], connector: "c", rosters: LtiRosterMode.LISTED }),
  ],
  [
    "credentials[0].create_time",
    "too early",
    () => importing({ createTime: timestampFromDate(new Date("1800-01-01")) }),
  ],
  [
    "credentials[0].invalidate_time",
    "before create_time",
    () =>
      importing({
        status: CredentialStatus.INVALIDATED,
        invalidationReason: "x",
        invalidateTime: timestampFromDate(new Date("2019-01-01")),
      }),
  ],
])("an error names the field %s: %s", async (field, _what, call) => {
  const error = ConnectError.from(await call().catch((thrown: unknown) => thrown));
  const [details] = error.findDetails(BadRequestSchema);
  expect(details?.fieldViolations, error.message).toMatchObject([{ field }]);
});
