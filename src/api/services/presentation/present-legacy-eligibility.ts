import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EligibilityResult } from "#domain/eligibility/evaluate-eligibility.js";
import type { EligibilityEntry } from "#domain/eligibility/report-eligibility.js";
import type { LegacyCredentialEligibilitySchema } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { downloadUrlOf, presentProgress } from "./present.js";

/** Presents an entry as learning-credentials 0.5.1 does (`CredentialEligibilityView` in `api/v1/views.py`). */
export async function presentLegacyEligibility(
  entry: EligibilityEntry,
  files: FileStore,
): Promise<MessageInitShape<typeof LegacyCredentialEligibilitySchema>> {
  const { credential, progress } = entry;
  const { existing } = credential;
  return {
    credentialTypeId: credential.credentialTypeId,
    name: credential.name,
    isGenerationEnabled: credential.isScheduled,
    ...(existing && {
      existingCredential: existing.uuid,
      existingCredentialUrl: (await downloadUrlOf(credential, files)) ?? "",
    }),
    ...legacyProgress(progress),
    ...(progress.isEnrolled && {
      steps: (progress.steps ?? [])
        .filter((step) => step.progress.isEnrolled)
        .map((step) => ({ key: step.courseKey, value: legacyProgress(step.progress) })),
    }),
  };
}

/** Omits missing grades, and all grades of learners who are not enrolled, as learning-credentials 0.5.1 does. */
function legacyProgress(progress: EligibilityResult) {
  const { isEligible, isEnrolled, currentGrades = [], requiredGrades = [] } = progress;
  if (!isEnrolled) return { isEligible };
  return {
    ...presentProgress(progress),
    currentGrades: currentGrades.filter(({ isMissing }) => !isMissing),
    requiredGrades: requiredGrades.filter(({ isMissing }) => !isMissing),
  };
}
