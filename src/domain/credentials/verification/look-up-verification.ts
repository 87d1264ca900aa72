import type { Particulars } from "#formats/rendering/generator.js";
import type { Day } from "#foundation/calendar/day.js";
import { statusSql, type VerifiableStatus } from "#foundation/credential-status.js";
import type { GradingScale } from "#foundation/text/grading-scale.js";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import { arrayOf, createBatchLoader, type LookUp, type ReadOn } from "#infrastructure/db/batch-loader.js";
import type { Database } from "#infrastructure/db/database.js";
import { query } from "#infrastructure/db/query.js";
import { OPEN_BADGE, storedOpenBadge } from "../../configurations/open-badge-option.js";
import { PUBLIC_FACTS, storedPublicFacts } from "../../configurations/public-facts-option.js";
import type { RequirementNames } from "../badges/criteria.js";
import type { Credential, CredentialMetadata } from "../credential.js";
import type { FigureCounter } from "../figures/figure-counter.js";
import { isUuid } from "../uuid.js";
import { expiryReason, lastDayOf } from "../validity/end-of-validity.js";

const { isExpired, isInvalidated, isVerifiable } = statusSql();

/**
 * Public data about a credential. The name is empty if the learner was erased. The file is null if it no longer exists.
 */
export interface Verification
  extends CredentialMetadata,
    Pick<
      Credential,
      "verifyUuid" | "credentialType" | "learningContextKey" | "fileSha256" | "importedAt" | "originalIssuer"
    > {
  /** Whether the credential is `invalidated` only because its last day has passed. */
  readonly isExpired: boolean;
  /** Null if the credential never expires. */
  readonly lastDay: Day | null;
  /** Verification UUID of the credential that renews this one. */
  readonly renewedBy: string | null;
  /** Null if the credential is valid, or only expired. */
  readonly invalidatedAt: Date | null;
  /** Verification UUID of the credential that replaces this invalidated one. */
  readonly replacedBy: string | null;
  /** Name of the platform at the time of issuing or importing; null if not recorded. */
  readonly platform: string | null;
  /** Details of the achievement in the badge, without names and dates. */
  readonly achievement: AchievementDetails;
  /** Public facts on the document, besides names and dates. */
  readonly printed: PrintedFacts;
  /** How to earn the credential. */
  readonly criteria: Criteria;
  /** Owner of the file's seal according to its certificate; null if the file is not sealed. */
  readonly sealer: string | null;
}

type Figures = Pick<FigureCounter, "count">;

/** The public part of the option `open_badge`. */
export type AchievementDetails = Pick<
  ReturnType<typeof storedOpenBadge>,
  "alignment" | "creator" | "credits" | "field_of_study"
>;

/** The criteria for earning a credential: a text by the issuer, or a tree of requirements. */
interface Criteria {
  readonly text: string | undefined;
  readonly tree: unknown;
  readonly names: RequirementNames;
}

/** Facts on a document. Facts about the learner are present only if the credential's type makes them public. */
export interface PrintedFacts {
  /** When the first credential in the chain of replacements was issued; null if this credential is the first. */
  readonly awardedAt: Date | null;
  readonly hours?: number | undefined;
  /** As printed, for example "6 ECTS". */
  readonly credits?: string | undefined;
  /** Number of courses in the learning path. */
  readonly steps?: number | undefined;
  /** Printed instead of the number of courses, for a learning path. */
  readonly category?: string | undefined;
  /** A percentage. The grades by assignment type and the completion are percentages, too. */
  readonly grade?: number | undefined;
  readonly grades?: Readonly<Record<string, number>> | undefined;
  /** Undefined for percentages. */
  readonly scale?: GradingScale | undefined;
  readonly letter?: string | undefined;
  readonly passed?: boolean | undefined;
  readonly completion?: number | undefined;
  readonly learnerId?: string | undefined;
  /** Printed facts that are not public. `details` are attributes from records. */
  readonly unconfirmed: readonly ("grade" | "completion" | "learnerId" | "details")[];
}

interface PublicRow extends Omit<CredentialMetadata, "status"> {
  readonly verifyUuid: string;
  readonly configurationId: number;
  readonly status: VerifiableStatus;
  readonly validUntil: Date | null;
  /** According to the database's clock. */
  readonly isExpired: boolean;
  /** IANA name; null if not recorded. */
  readonly timeZone: string | null;
}

/**
 * Looks up a credential by its verification UUID. Nothing is cached: the result is as current as the database that
 * `readOn` chooses.
 */
export type LookUpMetadata = LookUp<string, CredentialMetadata | undefined>;

/** Like `LookUpMetadata`, but also returns the other data of the verification page. */
export type LookUpVerification = LookUp<string, Verification | undefined>;

const metadataColumns = `verify_uuid as "verifyUuid", configuration_id as "configurationId", user_full_name as "userFullName", created_at as "createdAt",
  learning_context_name as "learningContextName", status, invalidation_reason as "invalidationReason",
  valid_until as "validUntil", ${isExpired} as "isExpired",
  case when valid_until is not null then print_settings->>'timeZone' end as "timeZone"`;

const successor = `(
    select successor.verify_uuid from credentials successor
    where successor.replaces = credentials.uuid and ${statusSql("successor").isVerifiable}
  )`;

const pageColumns = `credential_type as "credentialType", learning_context_key as "learningContextKey",
  encode(file_sha256, 'hex') as "fileSha256",
  imported_at as "importedAt", original_issuer as "originalIssuer",
  coalesce(platform, print_settings->>'platformName') as platform, options->'${OPEN_BADGE}' as "openBadge",
  options->'${REQUIREMENTS}' as "requirements",
  case when options->'${REQUIREMENTS}' is not null then jsonb_build_object('named', results->'named', 'courses', (
    select coalesce(jsonb_agg(result - '{grades,grade_order,completion,passed,letter}'::text[]), '[]')
    from jsonb_array_elements(results->'courses') as result
  )) end as "requirementNames",
  awarded_at as "awardedAt", particulars, options->'${PUBLIC_FACTS}' as "publicFacts",
  (select sealer from credential_seals where credential_uuid = credentials.uuid) as sealer,
  case when renewed_at is not null then ${successor} end as "renewedBy",
  case when ${isInvalidated} then invalidated_at end as "invalidatedAt",
  case when ${isInvalidated} and renewed_at is null then ${successor} end as "replacedBy"`;

export function createMetadataLookUp(readOn: ReadOn, figures: Figures): LookUpMetadata {
  return createLookUp(readOn, figures, "metadata", metadataColumns, metadataOf);
}

export function createVerificationLookUp(readOn: ReadOn, figures: Figures): LookUpVerification {
  return createLookUp<PageRow, Verification>(
    readOn,
    figures,
    "verification",
    `${metadataColumns}, ${pageColumns}`,
    verificationOf,
  );
}

type PageRow = PublicRow &
  Omit<
    Verification,
    keyof CredentialMetadata | "isExpired" | "lastDay" | "achievement" | "criteria" | "printed"
  > &
  Pick<Credential, "awardedAt" | "particulars"> & {
    readonly openBadge: unknown;
    readonly publicFacts: unknown;
    readonly requirements: unknown;
    readonly requirementNames: RequirementNames | null;
  };

/** The API has no status for expired credentials. They are `invalidated`, with the expiry as the reason. */
function metadataOf({ validUntil, isExpired, timeZone, ...row }: PublicRow): CredentialMetadata {
  return row.status === "available" && isExpired && validUntil !== null
    ? { ...row, status: "invalidated", invalidationReason: expiryReason(validUntil, timeZone ?? "UTC") }
    : row;
}

function verificationOf(row: PageRow): Verification {
  const { openBadge, publicFacts, awardedAt, particulars, requirements, requirementNames, ...known } = row;
  const { validUntil, isExpired, timeZone, ...shown } = known;
  const { alignment, creator, credits, field_of_study, criteria } = storedOpenBadge(openBadge ?? undefined);
  return {
    ...shown,
    ...metadataOf(known),
    achievement: { alignment, creator, credits, field_of_study },
    criteria: { text: criteria, tree: requirements, names: requirementNames ?? { courses: [] } },
    printed: { awardedAt, ...printedFacts(particulars ?? {}, publicFacts) },
    isExpired: isExpired && row.status === "available",
    lastDay: validUntil && lastDayOf(validUntil, timeZone ?? "UTC"),
  };
}

function printedFacts(
  { hours, credits, steps, category, completion, learner_id, learner, enrollment, ...results }: Particulars,
  publicFacts: unknown,
): Omit<PrintedFacts, "awardedAt"> {
  const isPublic = new Set(storedPublicFacts(publicFacts));
  const { grade, grades, letter, passed, scale } = results;
  const hasGrade =
    [grade, letter, passed].some((each) => each !== undefined) || Object.keys(grades ?? {}).length > 0;
  const hasDetails = Object.keys({ ...learner, ...enrollment }).length > 0;
  return {
    hours,
    credits,
    steps,
    category,
    ...(isPublic.has("grade") && { grade, grades, letter, passed, scale }),
    ...(isPublic.has("completion") && { completion }),
    ...(isPublic.has("learner_id") && { learnerId: learner_id }),
    unconfirmed: [
      ...(hasGrade && !isPublic.has("grade") ? (["grade"] as const) : []),
      ...(completion !== undefined && !isPublic.has("completion") ? (["completion"] as const) : []),
      ...(learner_id !== undefined && !isPublic.has("learner_id") ? (["learnerId"] as const) : []),
      ...(hasDetails ? (["details"] as const) : []),
    ],
  };
}

/**
 * Looks up a credential by the SHA-256 of its file as issued, in lower-case hexadecimal. If several credentials were
 * imported with the same file, prefers a valid one. Successful look-ups are counted, as in `createLookUp`.
 */
export function createFileLookUp(database: Database, figures: Figures): LookUpVerification {
  const statement = `select distinct on (file_sha256) ${metadataColumns}, ${pageColumns} from credentials
    where file_sha256 = any (select decode(given, 'hex') from unnest(${arrayOf("text")}) as given)
      and ${isVerifiable}
    order by file_sha256, status, ${isExpired}, id desc`;
  const lookUp = createBatchLoader(database.reads, MAX_BATCH, async (lease, digests: string[]) => {
    const { rows } = await query<PageRow>(lease, "verification by file", statement, [digests]);
    const found = new Map(rows.map((row) => [row.fileSha256, row]));
    return digests.map((digest) => readCounted(found.get(digest), figures, verificationOf));
  });
  return async (digest, cancellation) => (sha256.test(digest) ? lookUp(digest, cancellation) : undefined);
}

const sha256 = /^[\da-f]{64}$/;

const MAX_BATCH = 500;

/** Every successful look-up is counted in the figures, including look-ups that share one query. */
function createLookUp<Row extends PublicRow, Known>(
  readOn: ReadOn,
  figures: Figures,
  name: string,
  columns: string,
  read: (row: Row) => Known,
): LookUp<string, Known | undefined> {
  const statement = `select ${columns} from credentials
    where verify_uuid = any (${arrayOf("uuid")}) and ${isVerifiable}`;
  const lookUp = createBatchLoader(readOn, MAX_BATCH, async (connection, verifyUuids: string[]) => {
    const { rows } = await query<Row>(connection, name, statement, [verifyUuids]);
    const found = new Map(rows.map((row) => [row.verifyUuid, row]));
    return verifyUuids.map((verifyUuid) => readCounted(found.get(verifyUuid), figures, read));
  });
  return async (verifyUuid, cancellation) =>
    isUuid(verifyUuid) ? lookUp(verifyUuid.toLowerCase(), cancellation) : undefined;
}

function readCounted<Row extends PublicRow, Known>(
  row: Row | undefined,
  figures: Figures,
  read: (row: Row) => Known,
): Known | undefined {
  if (row) figures.count("verified", row.configurationId);
  return row && read(row);
}
