import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { credentials as channel, Client as GrpcClient, Metadata } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { enrolled } from "../support/records.js";
import { startTestService, tokenOf } from "../support/service.js";
import { type Receiver, startReceiver } from "../webhooks/receiver.js";

const COURSE = "course-v1:HarbourLight+AST101+2025";
const CREDENTIALS = "learning_credentials.v1.CredentialService";

/** A span in OTLP's JSON. Kind 2 is a server span, and kind 5 a consumer span. */
interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface Batch {
  readonly resourceSpans: readonly {
    resource: Pick<Span, "attributes">;
    scopeSpans: readonly { spans: readonly Span[] }[];
  }[];
}

/** A collector that receives spans from the real exporter. */
let collector: Server;
const batches: Batch[] = [];
let text = "";
let receiver: Receiver;

function traceparent(digit: string): string {
  return `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
}

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    if (request.url === "/v1/traces") batches.push((await json(request)) as Batch);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const { port } = collector.address() as AddressInfo;
  receiver = await startReceiver((_, __, count) => (count === 0 ? 503 : 204));
  const service = await startTestService({
    worker: true,
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` },
  });
  try {
    const token = await tokenOf({ username: "lms", service: "write" });
    await service.client(LearnerRecordService, token).importRecords(
      (async function* () {
        yield {
          records: [
            { kind: { case: "learner" as const, value: { username: "ana", fullName: "Ana Kovač" } } },
            { kind: { case: "course" as const, value: { courseKey: COURSE, displayName: "Night Sky" } } },
            { kind: enrolled("ana", COURSE) },
            {
              kind: {
                case: "completion" as const,
                value: { username: "ana", courseKey: COURSE, percent: 1 },
              },
            },
          ],
        };
      })(),
    );
    const configurations = service.client(ConfigurationService, token);
    const { id: configurationId } = await offerCredential(
      configurations,
      COURSE,
      "Certificate of Completion",
      "retrieve_completions",
    );
    const eligible = service.client(EligibilityService, token).listEligibleLearners({ configurationId });
    for await (const _ of eligible);
    const webhooks = service.client(WebhookService, token);
    const { webhookEndpoint } = await webhooks.createWebhookEndpoint({
      webhookEndpoint: { url: receiver.url },
    });
    await webhooks.sendTestWebhook({ id: webhookEndpoint?.id ?? "" });
    const { uuid } = await service.client(CredentialService, token).issueCredential({
      configurationId,
      username: "ana",
    });
    const made = async () => {
      const { status } = await service.client(CredentialService, token).getCredential({ uuid });
      expect(status).toBe(CredentialStatus.AVAILABLE);
    };
    await vi.waitFor(made, { timeout: 40_000 });
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(3), { timeout: 40_000 });

    await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/unknown/`, {
      headers: { traceparent: traceparent("a"), tracestate: "congo=t61rcWkgMzE" },
    });
    await fetch(`${service.httpUrl}/${CREDENTIALS}/GetCredentialMetadata?encoding=json&message=%7B%7D`, {
      headers: { traceparent: "nonsense" },
    });
    await fetch(`${service.httpUrl}/download/credential/${uuid}/`, {
      headers: { traceparent: traceparent("b") },
      redirect: "manual",
    });
    await callGrpc(service.grpcAddress, traceparent("c"));
  } finally {
    await service.stop(); // The exporter sends the remaining spans at the end.
  }
  text = JSON.stringify(batches);
});

afterAll(async () => {
  collector?.close();
  await receiver?.close();
});

function callGrpc(address: string, parent: string): Promise<unknown> {
  const client = new GrpcClient(address, channel.createInsecure());
  const metadata = new Metadata();
  metadata.set("traceparent", parent);
  const asIs = (bytes: Buffer) => bytes;
  return new Promise((resolve) => {
    const path = `/${CREDENTIALS}/GetCredentialMetadata`;
    client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), metadata, (error) => {
      client.close();
      resolve(error?.code);
    });
  });
}

const spans = () =>
  batches.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );

/** Returns the attributes with their values. */
function attributesOf({ attributes }: Pick<Span, "attributes">): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

test.each([
  ["REST", "a", "GetCredentialMetadata", 5],
  ["a page", "b", "GetDownloadUrl", 16],
  ["gRPC", "c", "GetCredentialMetadata", 5],
])("a call over %s is a span below its caller's", (_, digit, method, code) => {
  const [span, ...more] = spans().filter(({ traceId }) => traceId === digit.repeat(32));
  expect(more).toEqual([]);
  expect(span).toMatchObject({
    name: `${CREDENTIALS}/${method}`,
    kind: 2,
    parentSpanId: digit.repeat(16),
    status: { code: 0 },
  });
  expect(attributesOf(span as Span)).toEqual({
    "rpc.service": CREDENTIALS,
    "rpc.method": method,
    "rpc.grpc.status_code": code,
  });
});

test.each([
  ["LearnerRecordService/ImportRecords", "a client's stream"],
  ["EligibilityService/ListEligibleLearners", "a stream of answers"],
  ["CredentialService/IssueCredential", "a single answer"],
])("%s, %s, is a span that starts its own trace and ends without an error", (name) => {
  const found = spans().filter((span) => span.name === `learning_credentials.v1.${name}`);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ kind: 2, status: { code: 0 } });
  expect(found[0]?.parentSpanId ?? "").toBe("");
  expect(attributesOf(found[0] as Span)["rpc.grpc.status_code"]).toBe(0);
});

test("an invalid trace context is ignored", () => {
  const metadata = spans().filter(({ name }) => name === `${CREDENTIALS}/GetCredentialMetadata`);
  expect(metadata.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1);
});

test("each run of a job is a span", () => {
  const [job] = spans().filter(({ name }) => name === "job generate_credential");
  expect(job).toMatchObject({ kind: 5, status: { code: 0 } });
});

test("each request of a webhook is a span, which its receiver can continue", () => {
  const requests = spans().filter(({ name }) => name === "webhook");
  const sent = receiver.received.map(({ headers }) => headers.traceparent?.split("-")[1]);
  expect(sent.length).toBeGreaterThanOrEqual(3);
  expect(new Set(sent).size).toBe(sent.length);
  expect(new Set(requests.map(({ traceId }) => traceId))).toEqual(new Set(sent));
  const answers = requests.map((span) => [
    span.kind,
    span.status.code === 2,
    attributesOf(span)["webhook.outcome"],
    attributesOf(span)["http.response.status_code"],
  ]);
  expect(answers.filter(([, isFault]) => isFault)).toEqual([[3, true, "failed", 503]]);
  expect(answers).toContainEqual([3, false, "delivered", 204]);
});

test("spans name the service, and contain no learner", () => {
  const [resource] = batches.flatMap(({ resourceSpans }) => resourceSpans);
  expect(attributesOf(resource?.resource ?? { attributes: [] })).toMatchObject({
    "service.name": "learning-credentials",
  });
  for (const personal of ["Ana", "Kova", '"ana"']) expect(text).not.toContain(personal);
});
