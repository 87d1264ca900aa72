import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigurationService } from "../../gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "../../gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

const COURSE = "course-v1:Uni+C1+2026";
let service: TestService;
let staff: string;
let configurationId: number;

beforeAll(async () => {
  service = await startTestService({ worker: true });
  staff = await tokenOf({ username: "registrar", isStaff: true });
  const platform = await tokenOf({ username: "lms", service: "write" });
  await service.client(LearnerRecordService, platform).upsertRecords({
    records: [
      { kind: { case: "learner", value: { username: "ana", fullName: "Ana Kovač" } } },
      { kind: { case: "course", value: { courseKey: COURSE, displayName: "Course One", gradingPolicy: [{ assignmentType: "Exam", weight: 1 }] } } },
      { kind: { case: "enrollment", value: { username: "ana", learningContextKey: COURSE } } },
      { kind: { case: "subsectionGrade", value: { username: "ana", courseKey: COURSE, usageKey: "u1", assignmentType: "Exam", earned: 9, possible: 10 } } },
    ],
  });
  const configurations = service.client(ConfigurationService, staff);
  const type = await configurations.createCredentialType({
    credentialType: {
      name: "Certificate",
      retrievalFunc: "learning_credentials.processors.retrieve_subsection_grades",
      generationFunc: "learning_credentials.generators.generate_pdf_credential",
      customOptions: { required_grades: { Exam: 0.65, Total: 0.8 } },
    },
  });
  const configuration = await configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: type.id },
  });
  configurationId = configuration.id;
});

afterAll(() => service.stop());

describe("issuing a credential", () => {
  it("gives 50 who issue it at once one credential with one file, verified by anybody", async () => {
    const credentials = service.client(CredentialService, staff);
    const issued = await Promise.all(
      Array.from({ length: 50 }, () => credentials.issueCredential({ configurationId, username: "ana" })),
    );
    expect(new Set(issued.map(({ uuid }) => uuid)).size).toBe(1);
    const uuid = issued[0]?.uuid ?? "";
    let credential = await credentials.getCredential({ uuid });
    for (let tries = 0; credential.status === CredentialStatus.GENERATING && tries < 200; tries++) {
      await sleep(50);
      credential = await credentials.getCredential({ uuid });
    }
    expect(credential.status).toBe(CredentialStatus.AVAILABLE);
    const { credentials: all } = await credentials.listCredentials({ username: "ana" });
    expect(all).toHaveLength(1);
    const response = await fetch(
      `${service.httpUrl}/api/learning_credentials/v1/metadata/${credential.verifyUuid}/`,
    );
    expect(await response.json()).toMatchObject({ user_full_name: "Ana Kovač", status: "available" });
  });
});
