import type { DescService } from "@bufbuild/protobuf";
import {
  type Client,
  createClient as createServiceClient,
  type Interceptor,
  type Transport,
} from "@connectrpc/connect";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";

/** Address of the service, and the caller's credentials. */
export interface ClientOptions {
  /**
   * From Node, the address of the gRPC port, for example `http://127.0.0.1:50051`. From browsers, the URL of the HTTP
   * API.
   */
  readonly baseUrl: string;
  /** The caller's token, or a function that returns the current token for each call. */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * Timeout of calls that have no `timeoutMs` of their own. The default is 30 seconds; 0 disables it. Streams have no
   * timeout.
   */
  readonly timeoutMs?: number;
}

/** The services by their names in the client. The Python client has the same names in snake case. */
export const services = {
  credentials: CredentialService,
  configurations: ConfigurationService,
  eligibility: EligibilityService,
  learnerRecords: LearnerRecordService,
  previewLinks: PreviewLinkService,
  callers: CallerService,
  webhooks: WebhookService,
  lti: LtiService,
  administration: AdministrationService,
} as const;

/** Clients of all services. A failed call throws a `ConnectError`, whose `code` is the reason. */
export type LearningCredentialsClient = {
  readonly [name in keyof typeof services]: Client<(typeof services)[name]>;
};

const TIMEOUT_MS = 30_000;

/** Sends the caller's token with each call. */
export function authorize({ token }: ClientOptions): Interceptor[] {
  if (token === undefined) return [];
  return [
    (next) => async (request) => {
      request.header.set("authorization", `Bearer ${typeof token === "string" ? token : await token()}`);
      return next(request);
    },
  ];
}

export function assembleClient(
  transport: Transport,
  { timeoutMs = TIMEOUT_MS }: ClientOptions,
): LearningCredentialsClient {
  const limited: Transport = {
    unary: (method, signal, ownTimeoutMs, ...rest) =>
      transport.unary(method, signal, ownTimeoutMs ?? timeoutMs, ...rest),
    stream: (...call) => transport.stream(...call),
  };
  const clients = Object.entries(services).map(([name, service]) => [
    name,
    createServiceClient<DescService>(service, limited),
  ]);
  return Object.fromEntries(clients) as LearningCredentialsClient;
}
