import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  CredentialService,
  CredentialVerdict,
  VerifiableCredentialFormat,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Academy, COURSE } from "../../support/academy.js";
import { type TestService, tokenOf } from "../../support/service.js";

/** Returns functions that report over each protocol whether a credential has expired. */
export async function transportsTo(
  service: TestService,
  { uuid, verifyUuid, username }: { uuid: string; verifyUuid: string; username: string },
  staff: Academy["credentials"],
): Promise<Record<string, () => Promise<boolean>>> {
  const anybody = service.client(CredentialService);
  const baseUrl = `http://${service.grpcAddress}`;
  const overGrpc = createClient(CredentialService, createGrpcTransport({ baseUrl }));
  const token = await tokenOf({ username });
  const get = (path: string, headers = {}) => fetch(service.httpUrl + path, { headers });
  const { content } = await staff.getVerifiableCredential({ uuid, format: VerifiableCredentialFormat.JSON });
  return {
    rest: async () => {
      const answer = await get(`/api/learning_credentials/v1/metadata/${verifyUuid}/`);
      return ((await answer.json()) as { status: string }).status === "invalidated";
    },
    connect: async () =>
      (await anybody.getCredentialMetadata({ verifyUuid })).status === CredentialStatus.INVALIDATED,
    grpc: async () =>
      (await overGrpc.getCredentialMetadata({ verifyUuid })).status === CredentialStatus.INVALIDATED,
    page: async () => (await (await get(`/verify/${verifyUuid}/`)).text()).includes('class="card expired"'),
    inside: async () => (await staff.getCredential({ uuid })).isExpired,
    list: async () =>
      (await staff.listCredentials({ username })).credentials.some(({ isExpired }) => isExpired),
    file: async () =>
      (await anybody.verifyCredential({ subject: { case: "file", value: content } })).verdict ===
      CredentialVerdict.EXPIRED,
    eligibility: async () => {
      const answer = await get(`/api/learning_credentials/v1/eligibility/${COURSE}/`, {
        authorization: `Bearer ${token}`,
      });
      const { credentials } = (await answer.json()) as { credentials: { existing_credential: unknown }[] };
      return credentials.every(({ existing_credential }) => existing_credential === null);
    },
  };
}
