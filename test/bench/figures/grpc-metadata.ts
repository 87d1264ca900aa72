import { create, toBinary } from "@bufbuild/protobuf";
import { GetCredentialMetadataRequestSchema } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { issueToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import type { GrpcJob } from "../load/grpc.js";
import { runLoad, startBaseline } from "../program.js";
import { startService } from "../service.js";

const GET_CREDENTIAL_METADATA = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const OK = 0;
const NOT_FOUND = 5;

export const grpcMetadata: Figure = {
  name: "grpc-metadata",
  subject: "native gRPC unary GetCredentialMetadata: the same credentials and UUIDs",
  baseline: "bare grpc-js unary echo",
  unit: "calls",
  reach: 0.65,

  async prepare(stage) {
    const messages = (await issueToVerify(stage)).map((verifyUuid) => {
      const request = create(GetCredentialMetadataRequestSchema, { verifyUuid });
      return Buffer.from(toBinary(GetCredentialMetadataRequestSchema, request)).toString("base64");
    });
    const { grpcPort } = await startService(stage, "server");
    const bare = await startBaseline(stage, "bare-grpc.ts");
    const load = { messages, concurrency: 50, seconds: stage.isShort ? 2 : 5, codes: [OK, NOT_FOUND] };
    const rate = (job: GrpcJob) => runLoad<number>("grpc.ts", job);
    return {
      subject: () => rate({ ...load, port: grpcPort, path: GET_CREDENTIAL_METADATA }),
      baseline: () => rate({ ...load, port: bare.port, path: "/Echo/Echo" }),
    };
  },
};
