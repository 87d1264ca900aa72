import { create, type JsonObject, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import type { AlignmentOption } from "#domain/configurations/alignment-option.js";
import type { CredentialType } from "#domain/configurations/credential-type.js";
import type { DescribedDesign } from "#domain/configurations/designs.js";
import { etagOfConfiguration, etagOfType } from "#domain/configurations/etag.js";
import type { ScheduledConfiguration } from "#domain/configurations/manage-configurations.js";
import { OPEN_BADGE, storedOpenBadge } from "#domain/configurations/open-badge-option.js";
import { type ConfigurableFunction, commonOptions } from "#domain/configurations/options.js";
import type { Revision } from "#domain/configurations/revision-store.js";
import { badgeRefusal } from "#domain/credentials/badges/badge-refusal.js";
import type * as domain from "#domain/credentials/credential.js";
import type { AvailableEmailState } from "#domain/credentials/emails/email-states.js";
import type { FileVerdict, VerifiedFile } from "#domain/credentials/verification/verify-credential.js";
import type { HeldResult } from "#domain/eligibility/course-results.js";
import type { EligibilityResult } from "#domain/eligibility/evaluate-eligibility.js";
import type { RequirementResult } from "#domain/eligibility/evaluate-requirement.js";
import type { Grades, ResultFigures } from "#domain/eligibility/evaluate-results.js";
import type { ExistingCredential } from "#domain/eligibility/learner-progress.js";
import type { EligibilityEntry } from "#domain/eligibility/report-eligibility.js";
import { isObject } from "#foundation/text/is-object.js";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import {
  type CredentialConfigurationSchema,
  type CredentialTypeSchema,
  FunctionKind,
  type FunctionSchema,
  ClaimMode as PresentedClaimMode,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import type { DesignSchema, RevisionSchema } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import {
  AchievementDetailsSchema,
  AlignmentSchema,
  type CourseResult,
  CourseResultSchema,
  CredentialEmailSchema,
  CredentialEmailState,
  type CredentialSchema,
  CredentialStatus,
  HeldCredentialSchema,
} from "#gen/learning_credentials/v1/credential_pb.js";
import {
  CredentialVerdict,
  type GetCredentialMetadataResponseSchema,
  type VerifyCredentialResponseSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  type CredentialEligibilitySchema,
  type ExistingCredentialSchema,
  type Grade,
  GradeSchema,
  RequiredCredentialSchema,
  type Requirement,
  RequirementKind,
  RequirementSchema,
  type StepProgress,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { numbersByName } from "../requests/parse-enum.js";
import { presentSchedule } from "../requests/schedule.js";

export const presentedClaim = numbersByName(PresentedClaimMode);

export const presentedStatus = numbersByName(CredentialStatus);

export function presentCredential(credential: domain.Credential): MessageInitShape<typeof CredentialSchema> {
  return {
    uuid: credential.uuid,
    verifyUuid: credential.verifyUuid,
    username: credential.username,
    userFullName: credential.userFullName,
    learningContextKey: credential.learningContextKey,
    learningContextName: credential.learningContextName,
    credentialType: credential.credentialType,
    configurationId: credential.configurationId,
    status: presentedStatus[credential.status],
    createTime: timestampFromDate(credential.createdAt),
    errorReason: credential.errorReason,
    invalidationReason: credential.invalidationReason,
    fileSha256: credential.fileSha256 ?? "",
    fileSize: credential.fileSize ?? 0,
    ...(credential.invalidatedAt && { invalidateTime: timestampFromDate(credential.invalidatedAt) }),
    ...(credential.validUntil && { expireTime: timestampFromDate(credential.validUntil) }),
    isExpired: credential.isExpired,
    replacesUuid: credential.replaces ?? "",
    replacedByUuid: credential.replacedBy ?? "",
    ...(credential.importedAt && { importTime: timestampFromDate(credential.importedAt) }),
    legacyId: credential.legacyId,
    issuer: credential.originalIssuer ?? "",
    platformName: credential.printSettings.platformName,
    hasOpenBadge: badgeRefusal(credential) === undefined,
  };
}

/** Presents a credential with the fields that only staff and services may see. */
export function presentCredentialToStaff(
  credential: domain.Credential,
  email?: AvailableEmailState,
): MessageInitShape<typeof CredentialSchema> {
  return {
    ...presentCredential(credential),
    issuedBy: credential.issuedBy,
    issuanceRunId: credential.runId ?? "",
    results: presentResults(credential.results),
    ...(credential.emailedAt && { emailTime: timestampFromDate(credential.emailedAt) }),
    ...(email && {
      email: create(CredentialEmailSchema, {
        state: presentedEmail[email.state],
        ...(email.at && { time: timestampFromDate(email.at) }),
      }),
    }),
  };
}

/** Presents a credential with the fields that would be too large for a list. */
export function presentFullCredential(
  credential: domain.Credential,
  {
    lost,
    requiring,
    inReview,
  }: {
    readonly lost: ReadonlyMap<string, domain.Credential["status"]>;
    readonly requiring: readonly HeldResult[];
    /** UUIDs of credentials that need review. */
    readonly inReview: ReadonlySet<string>;
  },
  email?: AvailableEmailState,
): MessageInitShape<typeof CredentialSchema> {
  const {
    alignment: alignments,
    creator,
    credits,
    field_of_study: field,
  } = storedOpenBadge(credential.options[OPEN_BADGE]);
  const requirements = credential.options[REQUIREMENTS];
  const hasBadgeFields = [alignments, creator, credits, field].some((each) => each !== undefined);
  return {
    ...presentCredentialToStaff(credential, email),
    held: (credential.results?.held ?? []).map((held) => presentHeld(held, lost.get(held.uuid))),
    needsReview: inReview.has(credential.uuid),
    requiredBy: requiring.map((holder) => presentHeld(holder)),
    ...(isObject(requirements) && { requirements: requirements as JsonObject }),
    ...(hasBadgeFields && {
      achievement: create(AchievementDetailsSchema, {
        alignments: (alignments ?? []).map(presentAlignment),
        creatorName: creator?.name ?? "",
        creatorUrl: creator?.url ?? "",
        ...(credits !== undefined && { credits }),
        fieldOfStudy: field ?? "",
      }),
    }),
  };
}

function presentHeld(
  { uuid, verify_uuid: verifyUuid, credential_type: credentialType, learning_context_name }: HeldResult,
  lost?: domain.Credential["status"],
) {
  const learningContextName = learning_context_name;
  const isWithdrawn = lost === "invalidated";
  const hasFailed = lost === "error";
  return create(HeldCredentialSchema, {
    uuid,
    verifyUuid,
    credentialType,
    learningContextName,
    isWithdrawn,
    hasFailed,
  });
}

function presentAlignment({
  name,
  url,
  description = "",
  framework = "",
  code = "",
  type = "",
}: AlignmentOption) {
  return create(AlignmentSchema, { name, url, description, framework, code, type });
}

const presentedEmail = numbersByName(CredentialEmailState);

function presentResults(results: domain.Credential["results"]): CourseResult[] {
  return (results?.courses ?? []).map(
    ({ course_key, name = "", grades = {}, completion, passed, letter = "" }) =>
      create(CourseResultSchema, {
        courseKey: course_key,
        name,
        grades: { ...grades },
        ...(completion !== undefined && { completion }),
        ...(passed !== undefined && { passed }),
        letter,
      }),
  );
}

export function presentMetadata(
  metadata: domain.CredentialMetadata,
): MessageInitShape<typeof GetCredentialMetadataResponseSchema> {
  return {
    userFullName: metadata.userFullName,
    createTime: timestampFromDate(metadata.createdAt),
    learningContextName: metadata.learningContextName,
    status: presentedStatus[metadata.status],
    invalidationReason: metadata.invalidationReason,
  };
}

export function presentVerified({
  verdict,
  verification,
  badges = [],
}: VerifiedFile): MessageInitShape<typeof VerifyCredentialResponseSchema> {
  if (!verification) return { verdict: presentedVerdict[verdict], badges: badges.map(presentVerified) };
  const { verifyUuid, credentialType, importedAt, originalIssuer, platform } = verification;
  return {
    verdict: presentedVerdict[verdict],
    verifyUuid,
    credential: presentMetadata(verification),
    credentialType,
    issuer: (importedAt ? originalIssuer : platform) ?? "",
    ...(importedAt && { importTime: timestampFromDate(importedAt) }),
  };
}

const presentedVerdict: Record<FileVerdict, CredentialVerdict> = {
  genuine: CredentialVerdict.GENUINE,
  altered: CredentialVerdict.ALTERED,
  unknown: CredentialVerdict.UNKNOWN,
  withdrawn: CredentialVerdict.WITHDRAWN,
  expired: CredentialVerdict.EXPIRED,
  "badge-genuine": CredentialVerdict.BADGE_GENUINE,
  "badge-withdrawn": CredentialVerdict.BADGE_WITHDRAWN,
  "badge-expired": CredentialVerdict.BADGE_EXPIRED,
};

export async function presentEligibility(
  entry: EligibilityEntry,
  files: FileStore,
): Promise<MessageInitShape<typeof CredentialEligibilitySchema>> {
  return presentEntry(entry, await downloadUrlOf(entry.credential, files));
}

/** Returns a link to the PDF of the learner's existing credential; undefined if there is no file yet. */
export async function downloadUrlOf(
  { existing }: EligibilityEntry["credential"],
  files: FileStore,
): Promise<string | undefined> {
  const fileKey = existing?.fileKey;
  return fileKey ? (await files.downloadUrl(fileKey)).url : undefined;
}

/** @param downloadUrl link to the PDF of the existing credential, if there is one */
export function presentEntry(
  { credential, progress }: EligibilityEntry,
  downloadUrl?: string,
): MessageInitShape<typeof CredentialEligibilitySchema> {
  const { existing } = credential;
  return {
    credentialTypeId: credential.credentialTypeId,
    name: credential.name,
    ...(credential.claim !== "never" && { claim: presentedClaim[credential.claim] }),
    ...(existing && { existingCredential: presentExisting(existing, downloadUrl) }),
    ...presentProgress(progress),
    ...(progress.steps && {
      steps: progress.steps.map((step) => ({ key: step.courseKey, value: presentProgress(step.progress) })),
    }),
    ...(progress.requiredSteps !== undefined && { requiredSteps: progress.requiredSteps }),
    ...(progress.requirement && { requirements: presentRequirement(progress.requirement) }),
    ...(progress.scale && { gradingScale: progress.scale.name }),
    ...(progress.scale?.points !== undefined && { gradingPoints: progress.scale.points }),
  };
}

const presentedKind = numbersByName(RequirementKind);

/**
 * Returns a complete message, because converting a tree of initializers with `create` would take several times as long.
 */
function presentRequirement(result: RequirementResult): Requirement {
  const { kind, isMet, requiredCount, metCount, parts, courseKeys, courseKey, figures, holds } = result;
  const message: Requirement = {
    $typeName: RequirementSchema.typeName,
    kind: presentedKind[kind],
    isMet,
    requiredCount,
    metCount,
    parts: parts ? parts.map(presentRequirement) : [],
    courseKeys: courseKeys ? [...courseKeys] : [],
    courseKey,
    currentGrades: [],
    requiredGrades: [],
    acceptedLetters: [],
  };
  if (figures) setFigures(message, figures);
  if (holds)
    message.holds = create(RequiredCredentialSchema, {
      credentialTypeId: holds.credentialTypeId,
      name: holds.name,
      configurationId: holds.configurationId,
      learningContextKeys: [...holds.contextKeys],
      ...(holds.held && { verifyUuid: holds.held.verifyUuid }),
    });
  return message;
}

export function presentProgress(progress: EligibilityResult) {
  const presented: { isEligible: boolean } & Partial<Figures> = { isEligible: progress.isEligible };
  setFigures(presented, progress);
  return presented;
}

type Figures = Omit<StepProgress, "isEligible" | keyof Message>;

function setFigures(presented: Partial<Figures>, figures: ResultFigures): void {
  if (figures.currentGrades) presented.currentGrades = presentGrades(figures.currentGrades);
  if (figures.requiredGrades) presented.requiredGrades = presentGrades(figures.requiredGrades);
  if (figures.currentCompletion !== undefined) presented.currentCompletion = figures.currentCompletion;
  if (figures.requiredCompletion !== undefined) presented.requiredCompletion = figures.requiredCompletion;
  if (figures.currentPassed !== undefined) presented.currentPassed = figures.currentPassed;
  if (figures.requiredPassed) presented.requiredPassed = figures.requiredPassed;
  if (figures.currentLetter !== undefined) presented.currentLetter = figures.currentLetter;
  if (figures.requiredLetter !== undefined) presented.requiredLetter = figures.requiredLetter;
  if (figures.acceptedLetters) presented.acceptedLetters = [...figures.acceptedLetters];
}

function presentGrades(grades: Grades): Grade[] {
  return grades.map(({ key, value }) => ({ $typeName: GradeSchema.typeName, key, value }));
}

export function presentExisting(
  existing: Pick<ExistingCredential, "uuid" | "verifyUuid" | "status" | "created">,
  downloadUrl?: string,
): MessageInitShape<typeof ExistingCredentialSchema> {
  return {
    uuid: existing.uuid,
    verifyUuid: existing.verifyUuid,
    status: presentedStatus[existing.status],
    createTime: timestampFromMs(existing.created * 1000),
    ...(downloadUrl !== undefined && { downloadUrl }),
  };
}

export function presentType(type: CredentialType): MessageInitShape<typeof CredentialTypeSchema> {
  return { ...type, customOptions: type.customOptions as JsonObject, etag: etagOfType(type) };
}

export function presentRevision(revision: Revision): MessageInitShape<typeof RevisionSchema> {
  const { number, savedAt, savedBy, claim, ...state } = revision;
  const saved = Object.entries(state).filter(([, value]) => value !== null);
  return {
    number,
    saveTime: timestampFromDate(savedAt),
    savedBy,
    credentialType: Object.fromEntries(saved) as MessageInitShape<typeof CredentialTypeSchema>,
    ...(claim !== null && { claim: presentedClaim[claim] }),
  };
}

export function presentConfiguration({
  schedule,
  ...configuration
}: ScheduledConfiguration): MessageInitShape<typeof CredentialConfigurationSchema> {
  return {
    ...configuration,
    claim: presentedClaim[configuration.claim],
    customOptions: configuration.customOptions as JsonObject,
    etag: etagOfConfiguration(configuration, schedule),
    ...(schedule && { schedule: presentSchedule(schedule) }),
  };
}

export function presentDesign({
  name,
  title,
  description,
  customOptions,
}: DescribedDesign): MessageInitShape<typeof DesignSchema> {
  return { name, title, description, customOptions: customOptions as object as JsonObject };
}

export function presentFunction(
  kind: "retrieval" | "generation",
  fn: ConfigurableFunction,
): MessageInitShape<typeof FunctionSchema> {
  return {
    name: fn.name,
    kind: kind === "retrieval" ? FunctionKind.RETRIEVAL : FunctionKind.GENERATION,
    summary: fn.summary,
    optionSchema: optionSchema(kind, fn),
  };
}

/**
 * Returns the JSON schema of a function's options. The schema of a generator also contains the options that neither the
 * processor nor the generator defines.
 */
function optionSchema(kind: "retrieval" | "generation", { options }: ConfigurableFunction): JsonObject {
  const schema = z.toJSONSchema(options, { io: "input" });
  if (kind === "retrieval") return schema as object as JsonObject;
  const common = z.toJSONSchema(commonOptions, { io: "input" }).properties;
  return { ...schema, properties: { ...schema.properties, ...common } } as object as JsonObject;
}
