import { create, toBinary } from "@bufbuild/protobuf";
import { GetCredentialMetadataRequestSchema } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import type { GrpcJob } from "../load/grpc.js";
import { type Listening, runLoad, startBaseline } from "../program.js";
import { rateUnderLoad } from "../rate.js";
import { startService } from "../service.js";

const GET_CREDENTIAL_METADATA = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const OK = 0;
const NOT_FOUND = 5;

export const grpcMetadata: Figure = {
  name: "grpc-metadata",
  subject: "native gRPC unary GetCredentialMetadata: the same credentials and UUIDs",
  baseline: "bare grpc-js unary echo",
  unit: "calls/s",
  reach: 0.65,

  async prepare(stage) {
    const shared = await stage.sharing("verification", issueToVerify);
    const messages = (await uuidsToVerify(shared)).map((verifyUuid) => {
      const request = create(GetCredentialMetadataRequestSchema, { verifyUuid });
      return Buffer.from(toBinary(GetCredentialMetadataRequestSchema, request)).toString("base64");
    });
    const service = await startService(shared, "server");
    const bare = await startBaseline(shared, "bare-grpc.ts");
    const rate = ({ port, pid }: Listening, path: string) =>
      rateUnderLoad(shared, pid, (until) =>
        runLoad("grpc.ts", {
          port,
          path,
          messages,
          until,
          concurrency: 50,
          codes: [OK, NOT_FOUND],
        } satisfies GrpcJob),
      );
    return {
      subject: () => rate({ ...service, port: service.grpcPort }, GET_CREDENTIAL_METADATA),
      baseline: () => rate(bare, "/Echo/Echo"),
    };
  },
};
