import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { createMakeDocumentBadge, type MakeDocumentBadge } from "#domain/credentials/badges/make-badge.js";
import { createGeneration, type GenerationDeps } from "#domain/credentials/generation/generate-credential.js";
import { moveInvalidatedFile } from "#domain/credentials/invalidation/move-invalidated-file.js";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { given } from "./given.js";
import { course, enrolled, type Kind, learner } from "./records.js";
import { startTestService, type TestService, tokenOf } from "./service.js";

export const COURSE = "course-v1:Uni+C1+2026";

/** A running service with one course. The course offers one credential, for 65 % in the exam and 80 % in total. */
export interface Academy {
  readonly service: TestService;
  readonly configurationId: number;
  /** Calls as staff. */
  readonly credentials: Client<typeof CredentialService>;
  readonly configurations: Client<typeof ConfigurationService>;
  /** Calls as the platform. */
  readonly records: Client<typeof LearnerRecordService>;
  readonly platform: Client<typeof CredentialService>;
  report(...kinds: Kind[]): Promise<void>;
  withdraw(...kinds: Kind[]): Promise<void>;
  /** Imports records of learners who are enrolled and have 90 % in the exam. */
  enrol(...usernames: string[]): Promise<void>;
  configure(customOptions: JsonObject): Promise<CredentialConfiguration>;
  /** Issues to a learner as staff, under the academy's configuration or another one. */
  issue(username: string, more?: Issuing): Promise<Credential>;
  /** Issues to a learner, and generates the file. */
  made(username: string, more?: Issuing): Promise<Credential>;
  /** Enrols a learner, issues a credential to the learner, and generates the file. */
  issued(username: string): Promise<Credential>;
  /** Returns the internal ids of credentials whose jobs are in the queue. */
  jobs(): Promise<number[]>;
  idOf(uuid: string): Promise<number>;
  /**
   * Generates the file of a credential as a worker would, with some parts of the service replaced.
   * @param credential its UUID, or its internal id
   */
  generate(
    credential: string | number,
    with_?: {
      files?: Partial<FileStore>;
      isFirstRun?: boolean;
      isLastAttempt?: boolean;
      makeDocumentBadge?: MakeDocumentBadge;
      openSeals?: GenerationDeps["openSeals"];
    },
  ): Promise<void>;
  /** Moves the file of an invalidated credential as a worker would, with some parts of the store replaced. */
  moveFile(uuid: string, files?: Partial<FileStore>): Promise<void>;
  /** Returns the paths of the credential's files in the store: those for download, or those moved away. */
  filesOf(uuid: string, where?: "" | "_invalidated"): Promise<string[]>;
  /** Sets the credential to `error`, as if the last attempt to generate its file had failed. */
  fail(uuid: string): Promise<void>;
  invalidate(uuid: string): Promise<void>;
}

interface Issuing {
  readonly configurationId?: number;
  readonly skipEligibilityCheck?: boolean;
}

export async function openAcademy(options: Parameters<typeof startTestService>[0] = {}): Promise<Academy> {
  const service = await startTestService(options);
  const { issuer, audience } = service.app.config.auth;
  const staff = await tokenOf({ username: "registrar", isStaff: true, issuer, audience });
  const lms = await tokenOf({ username: "lms", service: "write", issuer, audience });
  const records = service.client(LearnerRecordService, lms);
  const configurations = service.client(ConfigurationService, staff);
  const { database, files, functions, config } = service.app;
  const generation: GenerationDeps = {
    database,
    functions,
    files,
    renderer: service.app.renderer,
    loadAssets: service.app.loadAssets,
    outputDir: config.outputDir,
    publicUrl: service.app.publicUrl,
    makeDocumentBadge: createMakeDocumentBadge({ ...service.app, publicUrl: service.app.publicUrl }),
    openSeals: service.app.openSeals,
  };

  async function report(...kinds: Kind[]) {
    await records.upsertRecords({ records: kinds.map((kind) => ({ kind })) });
  }
  await report(course(COURSE, "Course One", [["Exam", 1]]));
  const configuration = await offerCredential(
    configurations,
    COURSE,
    "Certificate",
    "retrieve_subsection_grades",
    { required_grades: { Exam: 0.65, Total: 0.8 } },
  );

  const credentials = service.client(CredentialService, staff);
  const academy: Academy = {
    service,
    configurationId: configuration.id,
    credentials,
    configurations,
    records,
    platform: service.client(CredentialService, lms),
    report,
    async withdraw(...kinds) {
      await records.upsertRecords({ records: kinds.map((kind) => ({ kind, deleted: true })) });
    },
    async enrol(...usernames) {
      await report(
        ...usernames.flatMap((username): Kind[] => [
          learner(username),
          enrolled(username, COURSE),
          exam(username, 9),
        ]),
      );
    },
    configure: (customOptions) =>
      configurations.updateCredentialConfiguration({
        credentialConfiguration: { id: configuration.id, customOptions },
        updateMask: { paths: ["custom_options"] },
      }),
    issue: (username, more) =>
      credentials.issueCredential({ configurationId: configuration.id, username, ...more }),
    async issued(username) {
      await academy.enrol(username);
      return academy.made(username);
    },
    async made(username, more) {
      const { uuid } = await academy.issue(username, more);
      await academy.generate(uuid);
      return credentials.getCredential({ uuid });
    },
    async jobs() {
      const { rows } = await database.knex.raw(
        "select payload->'credentialId' as id from jobs job where payload->'credentialId' is not null order by job.id",
      );
      return rows.map(({ id }: { id: number }) => id);
    },
    async idOf(uuid) {
      const { id } = await database.knex("credentials").where({ uuid }).first("id");
      return id;
    },
    async generate(
      credential,
      { files: replaced = {}, isFirstRun = false, isLastAttempt = false, ...parts } = {},
    ) {
      const generate = createGeneration({ ...generation, ...parts, files: { ...files, ...replaced } });
      const id = typeof credential === "number" ? credential : await academy.idOf(credential);
      await generate(id, { isFirstRun, isLastAttempt });
    },
    async moveFile(uuid, replaced = {}) {
      await moveInvalidatedFile({ ...generation, files: { ...files, ...replaced } }, uuid);
    },
    async filesOf(uuid, where = "") {
      const directory = join(config.dataDir, "files", `${config.outputDir}${where}`, uuid);
      return (await readdir(directory).catch(() => [])).map((name) => join(directory, name));
    },
    async fail(uuid) {
      await database
        .knex("credentials")
        .where({ uuid })
        .update({ status: "error", error_reason: "It failed." });
      await database.knex.raw("delete from jobs");
    },
    async invalidate(uuid) {
      await database.knex("credentials").where({ uuid }).update({
        status: "invalidated",
        invalidation_reason: "Issued in error.",
        invalidated_at: new Date(),
        invalidated_by: "registrar",
      });
    },
  };
  return academy;
}

/** Provides an academy that opens before the tests of this file or of a `describe`, and closes after them. */
export function givenAcademy(
  options?: Parameters<typeof startTestService>[0],
  stop = (service: TestService) => service.stop(),
): Academy {
  return given(
    () => openAcademy(options),
    ({ service }) => stop(service),
  );
}

/** Returns a grade in the only exam of the course, out of 10 points. */
export function exam(username: string, earned: number): Kind {
  return {
    case: "subsectionGrade",
    value: { username, courseKey: COURSE, usageKey: "exam", assignmentType: "Exam", earned, possible: 10 },
  };
}
