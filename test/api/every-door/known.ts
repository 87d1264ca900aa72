import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import type { Academy } from "../../credentials/academy.js";
import { tokenOf } from "../../support/service.js";

export const RETRIEVAL = "learning_credentials.processors.retrieve_subsection_grades";
export const GENERATION = "learning_credentials.generators.generate_pdf_credential";
export const UNKNOWN_UUID = "00000000-0000-4000-8000-000000000000";
export const UNKNOWN_ID = 999_999;

/** The objects in the service that the calls refer to. */
export interface Known {
  readonly configurationId: number;
  readonly typeId: number;
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly generatingUuid: string;
  readonly toInvalidate: string;
  readonly toReissue: string;
  /** An invalidated credential, and a later one of the same learner. */
  readonly withdrawn: string;
  readonly later: string;
  readonly runId: string;
  readonly webhookId: string;
  /** For each protocol, a type and a configuration of its own to delete. */
  readonly disposable: readonly {
    readonly typeId: number;
    readonly configurationId: number;
    readonly webhookId: string;
  }[];
}

/** Creates these objects, with some to delete for this many protocols. */
export async function makeKnown(academy: Academy, doors: number): Promise<Known> {
  const { configurationId, configurations, credentials } = academy;
  await academy.enrol("ana", "ben", "cat", "dan", "eve", "fay");
  await academy.tell({ case: "learner", value: { username: "eve", fullName: "" } });
  const { credentialTypeId: typeId } = await configurations.getCredentialConfiguration({
    id: configurationId,
  });
  const makeAvailable = async (username: string) => {
    const { uuid, verifyUuid } = await credentials.issueCredential({ configurationId, username });
    await academy.generate(await academy.idOf(uuid));
    return { uuid, verifyUuid };
  };
  const { uuid, verifyUuid } = await makeAvailable("ana");
  const generating = await credentials.issueCredential({ configurationId, username: "ben" });
  const toInvalidate = await makeAvailable("cat");
  const toReissue = await makeAvailable("dan");
  const withdrawn = await makeAvailable("fay");
  await academy.invalidate(withdrawn.uuid);
  const later = await makeAvailable("fay");
  const runId = await runWithoutLearners(academy, typeId);
  const disposable: Known["disposable"][number][] = [];
  for (let door = 0; door < doors; door++) disposable.push(await makeDisposable(academy, typeId, door));
  return {
    configurationId,
    typeId,
    uuid,
    verifyUuid,
    generatingUuid: generating.uuid,
    toInvalidate: toInvalidate.uuid,
    toReissue: toReissue.uuid,
    withdrawn: withdrawn.uuid,
    later: later.uuid,
    runId,
    webhookId: await makeEndpoint(academy),
    disposable,
  };
}

/** Makes a run that ended at once for lack of learners. */
async function runWithoutLearners(academy: Academy, credentialTypeId: number): Promise<string> {
  const learningContextKey = "course-v1:Uni+Empty+1";
  await academy.tell({ case: "course", value: { courseKey: learningContextKey, displayName: "Empty" } });
  const { id: configurationId } = await academy.configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey, credentialTypeId },
  });
  const { run } = await academy.credentials.startIssuanceRun({ configurationId });
  return run?.id ?? "";
}

/** Makes a type, a configuration, an asset and a learner for one protocol to delete. */
async function makeDisposable(academy: Academy, credentialTypeId: number, door: number) {
  const { configurations, tell } = academy;
  const type = await configurations.createCredentialType({
    credentialType: {
      name: `Disposable ${door}`,
      retrievalFunc: RETRIEVAL,
      generationFunc: GENERATION,
      customOptions: { required_grades: { total: 0.5 } },
    },
  });
  const configuration = await configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey: `course-v1:Uni+Gone+${door}`, credentialTypeId },
  });
  await configurations.uploadAsset(iterate(upload(`gone-${door}`)));
  await tell({ case: "learner", value: { username: `gone ${door}`, fullName: "Gone" } });
  return { typeId: type.id, configurationId: configuration.id, webhookId: await makeEndpoint(academy) };
}

/** Nothing listens there. */
export const CLOSED = "https://127.0.0.1:65535/";

async function makeEndpoint({ service }: Academy): Promise<string> {
  const webhooks = service.client(WebhookService, await tokenOf({ username: "lms", service: "write" }));
  const made = await webhooks.createWebhookEndpoint({ webhookEndpoint: { url: CLOSED }, afterPosition: 0n });
  return made.webhookEndpoint?.id ?? "";
}

const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>',
);

/** The messages that upload a drawing. */
export function upload(slug: string) {
  return [
    { part: { case: "header" as const, value: { slug, size: drawing.length } } },
    { part: { case: "chunk" as const, value: drawing } },
  ];
}

async function* iterate<T>(values: T[]): AsyncGenerator<T> {
  yield* values;
}
