import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { given } from "../../support/given.js";
import { startTestService, tokenOf } from "../../support/service.js";

export const GRADES = "learning_credentials.processors.retrieve_subsection_grades";
export const COMPLETIONS = "learning_credentials.processors.retrieve_completions";
export const REQUIREMENTS = "learning_credentials.processors.retrieve_requirements";
export const BOTH = "learning_credentials.processors.retrieve_completions_and_grades";
export const PDF = "learning_credentials.generators.generate_pdf_credential";
export const COURSE = "course-v1:Uni+C1+2026";
export const PATH = "path-v1:Uni+P1+2026+a";

let made = 0;
export const newName = () => `Type ${++made}`;
export const newCourse = () => `course-v1:Uni+N${++made}+2026`;

/** A service, with a client that configures it as staff. */
export type Configurator = Awaited<ReturnType<typeof openConfigurator>>;

export const givenConfigurator = () => given(openConfigurator, ({ service }) => service.stop());

async function openConfigurator() {
  const service = await startTestService();
  const token = await tokenOf({ username: "registrar", isStaff: true });
  const staff = service.client(ConfigurationService, token);
  return {
    service,
    token,
    staff,

    createType: (customOptions: JsonObject = { required_grades: { Exam: 0.6 } }, retrievalFunc = GRADES) =>
      staff.createCredentialType({
        credentialType: { name: newName(), retrievalFunc, generationFunc: PDF, customOptions },
      }),

    configure: (credentialTypeId: number, customOptions: JsonObject = {}, learningContextKey = newCourse()) =>
      staff.createCredentialConfiguration({
        credentialConfiguration: { learningContextKey, credentialTypeId, customOptions },
      }),

    /** Sends a request as JSON, which can express more than the typed client. */
    async post(method: string, body: string) {
      const response = await fetch(`${service.httpUrl}/${ConfigurationService.typeName}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body,
      });
      return (await response.json()) as JsonObject;
    },
  };
}

/** Returns the code and message with which a call was refused. Expects that the message fits in a gRPC header. */
export async function refusal(call: Promise<unknown>): Promise<{ code: Code; message: string }> {
  const error = await call.then(
    (answer) => new Error(`it was accepted: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  const { code, rawMessage } = ConnectError.from(error);
  expect(rawMessage.length).toBeLessThan(2000);
  return { code, message: rawMessage };
}

export const invalid = (message: RegExp | string) => ({
  code: Code.InvalidArgument,
  message: typeof message === "string" ? message : expect.stringMatching(message),
});

/** Returns the codes with which calls ended, in order; 0 for success. */
export async function codes(calls: Promise<unknown>[]): Promise<number[]> {
  const ended = calls.map((call) =>
    call.then(
      () => 0,
      (error) => ConnectError.from(error).code as number,
    ),
  );
  return (await Promise.all(ended)).sort((a, b) => a - b);
}
