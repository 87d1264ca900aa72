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

/** Clients of all services. A failed call throws a `ConnectError`, whose `code` is the reason. */
export interface LearningCredentialsClient {
  readonly credentials: Client<typeof CredentialService>;
  readonly configurations: Client<typeof ConfigurationService>;
  readonly eligibility: Client<typeof EligibilityService>;
  readonly learnerRecords: Client<typeof LearnerRecordService>;
  readonly previewLinks: Client<typeof PreviewLinkService>;
  readonly callers: Client<typeof CallerService>;
  readonly webhooks: Client<typeof WebhookService>;
  readonly lti: Client<typeof LtiService>;
  readonly administration: Client<typeof AdministrationService>;
}

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
  return {
    credentials: createServiceClient(CredentialService, limited),
    configurations: createServiceClient(ConfigurationService, limited),
    eligibility: createServiceClient(EligibilityService, limited),
    learnerRecords: createServiceClient(LearnerRecordService, limited),
    previewLinks: createServiceClient(PreviewLinkService, limited),
    callers: createServiceClient(CallerService, limited),
    webhooks: createServiceClient(WebhookService, limited),
    lti: createServiceClient(LtiService, limited),
    administration: createServiceClient(AdministrationService, limited),
  };
}
