import { insertPreviewLink } from "#domain/credentials/previews/preview-link-store.js";
import { insertOperation } from "#domain/operations/operation-store.js";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { assetParts } from "../../assets/asset-parts.js";
import { type Academy, COURSE } from "../../support/academy.js";
import { tokenOf } from "../../support/service.js";

export const RETRIEVAL = "learning_credentials.processors.retrieve_subsection_grades";
export const GENERATION = "learning_credentials.generators.generate_pdf_credential";
export const UNKNOWN_UUID = "00000000-0000-4000-8000-000000000000";
export const UNKNOWN_ID = 999_999;

/** Objects that examples can name, for a call over the protocol `transport`. */
export interface Known {
  readonly transport: number;
  /** The learner who has the credential `uuid`. */
  readonly username: string;
  /** A learner who can get a credential. */
  readonly newcomer: string;
  /** Learners who can claim a credential over this protocol. Each of the two methods for claims uses one of them. */
  readonly claimants: readonly [string, string];
  /** A learner with one available credential, for methods that invalidate all credentials that match a filter. */
  readonly graduate: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly typeId: number;
  /** A type and a configuration that no other example needs. */
  readonly spareTypeId: number;
  readonly spareConfigurationId: number;
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly generating: string;
  readonly toInvalidate: string;
  readonly toReissue: string;
  /** An invalidated credential, and a later one of the same learner. */
  readonly withdrawn: string;
  readonly later: string;
  readonly runId: string;
  readonly webhookId: string;
  readonly operationId: number;
  /** An LTI platform. */
  readonly platformId: number;
  /** The slug of an asset that doesn't exist yet. */
  readonly slug: string;
  /** Objects to delete, over this protocol. */
  readonly gone: {
    readonly typeId: number;
    readonly configurationId: number;
    readonly previewLinkId: number;
    readonly webhookId: string;
    readonly platformId: number;
    readonly slug: string;
    readonly username: string;
    readonly grant: { readonly username: string; readonly etag: string };
    readonly issuer: { readonly organisation: string; readonly etag: string };
  };
}

/** Creates these objects for this number of protocols. All protocols share them, except `claimants` and `gone`. */
export async function makeKnown(academy: Academy, transports: number): Promise<Known[]> {
  const { service, configurationId, configurations, credentials } = academy;
  const { issuer, audience } = service.app.config.auth;
  const platform = await tokenOf({ username: "lms", service: "write", issuer, audience });
  const webhooks = service.client(WebhookService, platform);
  const administration = service.client(AdministrationService, platform);
  const lti = service.client(LtiService, platform);

  async function makeAvailable(username: string) {
    const { uuid, verifyUuid } = await credentials.issueCredential({ configurationId, username });
    await academy.generate(uuid);
    return { uuid, verifyUuid };
  }
  async function makeType(name: string) {
    const customOptions = { required_grades: { total: 0.5 } };
    const credentialType = { name, retrievalFunc: RETRIEVAL, generationFunc: GENERATION, customOptions };
    return (await configurations.createCredentialType({ credentialType })).id;
  }
  async function makeConfiguration(learningContextKey: string) {
    const credentialConfiguration = { learningContextKey, credentialTypeId: typeId };
    return (await configurations.createCredentialConfiguration({ credentialConfiguration })).id;
  }
  async function makePreviewLink(transport: number) {
    const link = await insertPreviewLink(service.app.database.knex, {
      ...{ token: String(transport).padStart(32, "x"), title: "Gone", contextName: null, organisation: "" },
      ...{ credentialTypeId: null, configurationId: null, createdBy: "ada", validDays: 1 },
      ...{ pdf: Buffer.of(0), png: null },
    });
    return link.id;
  }
  async function makeEndpoint() {
    const webhookEndpoint = { url: CLOSED };
    const made = await webhooks.createWebhookEndpoint({ webhookEndpoint, afterPosition: 0n });
    return made.webhookEndpoint?.id ?? "";
  }
  async function makePlatform(clientId: string) {
    const base = "https://lms.example.org";
    const urls = { authorizationUrl: `${base}/auth`, tokenUrl: `${base}/token`, jwksUrl: `${base}/jwks` };
    return (await lti.createLtiPlatform({ settings: { issuer: base, clientId, ...urls } })).id;
  }
  /** Creates an operation that no worker has started. */
  async function makeOperation() {
    const operation = { kind: "check connector", connector: "lms", requestedBy: "ada", options: {} } as const;
    return (await insertOperation(service.app.database.knex, operation)).id;
  }
  async function makeGone(transport: number): Promise<Known["gone"]> {
    const [slug, username] = [`gone-${transport}`, `gone ${transport}`];
    await configurations.uploadAsset(assetParts(slug, drawing));
    await academy.report({ case: "learner", value: { username, fullName: "Gone" } });
    const organisation = `Gone~${transport}~`;
    const { etag } = await administration.setIssuer({ organisation, name: "Gone" });
    return {
      issuer: { organisation, etag },
      typeId: await makeType(`Disposable ${transport}`),
      configurationId: await makeConfiguration(`course-v1:Uni+Gone+${transport}`),
      previewLinkId: await makePreviewLink(transport),
      webhookId: await makeEndpoint(),
      platformId: await makePlatform(`gone ${transport}`),
      slug,
      username,
      grant: await administration.setStaffGrant({ username: `granted ${transport}`, roles: [Role.VIEWER] }),
    };
  }

  const [username, newcomer, graduate] = ["ana", "gil", "gus"];
  await academy.enrol(username, "ben", "cat", "dan", "eve", "fay", newcomer, graduate);
  await academy.report({ case: "learner", value: { username: "eve", fullName: "" } });
  const { credentialTypeId: typeId } = await configurations.getCredentialConfiguration({
    id: configurationId,
  });
  const { uuid, verifyUuid } = await makeAvailable(username);
  await makeAvailable(graduate);
  const { uuid: generating } = await credentials.issueCredential({ configurationId, username: "ben" });
  const { uuid: toInvalidate } = await makeAvailable("cat");
  const { uuid: toReissue } = await makeAvailable("dan");
  const { uuid: withdrawn } = await makeAvailable("fay");
  await academy.invalidate(withdrawn);
  const { uuid: later } = await makeAvailable("fay");
  const nobodysCourse = "course-v1:Uni+Empty+1";
  await academy.report({ case: "course", value: { courseKey: nobodysCourse, displayName: "Empty" } });
  const spareConfigurationId = await makeConfiguration(nobodysCourse);
  const { run } = await credentials.startIssuanceRun({ configurationId: spareConfigurationId });
  const known = {
    username,
    newcomer,
    graduate,
    learningContextKey: COURSE,
    configurationId,
    typeId,
    spareTypeId: await makeType("Spare"),
    spareConfigurationId,
    uuid,
    verifyUuid,
    generating,
    toInvalidate,
    toReissue,
    withdrawn,
    later,
    runId: run?.id ?? "",
    webhookId: await makeEndpoint(),
    operationId: await makeOperation(),
    platformId: await makePlatform("known"),
    slug: "crest",
  };
  await configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: configurationId, claim: ClaimMode.ALLOWED },
  });
  return Promise.all(
    Array.from({ length: transports }, async (_, transport) => {
      const claimants = [`claimant ${transport}`, `other claimant ${transport}`] as const;
      await academy.enrol(...claimants);
      return { ...known, transport, claimants, gone: await makeGone(transport) };
    }),
  );
}

/** An address at which nothing listens. */
export const CLOSED = "https://127.0.0.1:65535/";

export const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>',
);

export function upload(slug: string) {
  return [
    { part: { case: "header" as const, value: { slug, size: drawing.length } } },
    { part: { case: "chunk" as const, value: drawing } },
  ];
}
