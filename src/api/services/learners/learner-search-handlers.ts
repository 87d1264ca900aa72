import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Functions } from "#domain/configurations/functions.js";
import { type ContextReport, countByLearner, getLearner } from "#domain/credentials/search/get-learner.js";
import type { CourseProgress } from "#domain/eligibility/course-results.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { readLearnerQuery } from "#domain/learners/learner-query.js";
import { longestNames, searchLearners } from "#domain/learners/learner-search-store.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { listLearningContexts } from "#domain/learners/learning-context-store.js";
import type { Organisations } from "#domain/learners/organisations.js";
import type { RecordDifference } from "#domain/learners/owners.js";
import { MAX_NAME, MAX_QUERY } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import {
  EmailCorrectionFilter,
  EmailCorrectionFilterSchema,
  type LearnerContextSchema,
  LearnerDifference,
  type LearnerRecordService,
  NameCorrectionFilter,
  NameCorrectionFilterSchema,
  type SearchLearnersRequest,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { type Database, inSearch, inSnapshot } from "#infrastructure/db/database.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { presentLearner } from "../credentials/correction-handlers.js";
import { presentCredentialToStaff, presentEntry } from "../presentation/present.js";
import { pageByKeyOf, parsePageByKey } from "../requests/page.js";
import { numbersByName, parseOptionalEnum } from "../requests/parse-enum.js";

const presentedDifferences: Readonly<Record<RecordDifference, LearnerDifference>> = {
  name: LearnerDifference.NAME,
  address: LearnerDifference.EMAIL,
  active: LearnerDifference.ACTIVE,
  retired: LearnerDifference.RETIRED,
};

const nameFilters = numbersByName(NameCorrectionFilter);
const emailFilters = numbersByName(EmailCorrectionFilter);

/** Maximum page size. Learners are counted in each context, which takes time. */
const MAX_CONTEXTS = 100;
/** Designers test a design with this many names, the longest ones. */
const MAX_NAMES = 5;

export function learnerSearchHandlers({
  database,
  functions,
}: {
  database: Database;
  functions: Functions<Processor>;
}) {
  return {
    async searchLearners(request, { caller, signal }) {
      const organisations = organisationsOf(caller);
      const search = parseSearch(request, organisations);
      const identity = ["learners", search];
      const page = parsePageByKey(request, identity);
      const { rows, counts } = await inSearch(database, signal, async (transaction) => {
        const rows = await searchLearners(transaction, search, page.afterKey, page.limit);
        const usernames = rows.map(({ username }) => username);
        return { rows, counts: await countByLearner(transaction, usernames, organisations) };
      });
      const { shown, nextPageToken } = pageByKeyOf(rows, page, identity, ({ username }) => username);
      return {
        learners: shown.map((learner) => ({
          ...presentLearner(learner),
          credentialCount: counts.get(learner.username) ?? 0,
        })),
        nextPageToken,
      };
    },

    async getLearner({ username }, { caller, signal }) {
      checkText("username", username, { min: 1, max: MAX_NAME });
      const requested = { username, organisations: organisationsOf(caller) };
      const report = await inSnapshot(database, signal, (transaction) =>
        getLearner(transaction, functions, requested),
      );
      return {
        username,
        ...(report.record && presentLearner(report.record)),
        contexts: report.contexts.map(presentContext),
        hasMoreContexts: report.hasMoreContexts,
        credentials: report.credentials.map((credential) => presentCredentialToStaff(credential)),
        hasMoreCredentials: report.hasMoreCredentials,
        owner: report.owner,
        clashes: report.clashes.map(({ connector, differs }) => ({
          connector,
          differs: differs.map((each) => presentedDifferences[each]),
        })),
      };
    },

    async listLearningContexts(request, { caller, signal }) {
      const { query, configuredOnly } = request;
      checkText("query", query, { min: 0, max: MAX_QUERY });
      const filter = { query, configuredOnly, organisations: organisationsOf(caller) };
      const identity = ["learning contexts", filter];
      const page = parsePageByKey(request, identity, MAX_CONTEXTS);
      const rows = await inSearch(database, signal, (transaction) =>
        listLearningContexts(transaction, filter, page.afterKey, page.limit),
      );
      const keyOf = (context: { learningContextKey: string }) => context.learningContextKey;
      const { shown, nextPageToken } = pageByKeyOf(rows, page, identity, keyOf);
      return { contexts: [...shown], nextPageToken };
    },

    async listLongestNames({ learningContextKey }, { signal }) {
      parseLearningContextKey(learningContextKey, "learning_context_key");
      const fullNames = await inSearch(database, signal, (transaction) =>
        longestNames(transaction, learningContextKey, MAX_NAMES),
      );
      return { fullNames: [...fullNames] };
    },
  } satisfies Partial<Handlers<typeof LearnerRecordService>>;
}

/** @throws Problem `invalid` */
function parseSearch(request: SearchLearnersRequest, organisations: Organisations) {
  const { learningContextKey, nameCorrection, emailCorrection } = request;
  checkText("query", request.query, { min: 0, max: MAX_QUERY });
  if (learningContextKey !== "") parseLearningContextKey(learningContextKey, "learning_context_key");
  return {
    query: readLearnerQuery(request.query),
    learningContextKey,
    correction: parseOptionalEnum("name_correction", nameFilters, nameCorrection, NameCorrectionFilterSchema),
    emailCorrection: parseOptionalEnum(
      "email_correction",
      emailFilters,
      emailCorrection,
      EmailCorrectionFilterSchema,
    ),
    organisations,
  };
}

function presentContext({
  courses,
  eligibility,
  ...context
}: ContextReport): MessageInitShape<typeof LearnerContextSchema> {
  return {
    ...context,
    courses: courses.map((course) => ({
      courseKey: course.courseKey,
      isEnrolled: course.isEnrolled,
      grades: gradesIn(course),
      completion: course.completion,
    })),
    eligibility: eligibility.map((entry) => ({
      configurationId: entry.credential.configurationId,
      eligibility: presentEntry(entry),
    })),
  };
}

/** Returns the grades in the order of the grading policy, followed by those of other assignment types and the total. */
function gradesIn({ assignmentTypes, grades, total }: CourseProgress): { key: string; value: number }[] {
  const inPolicy = new Set(assignmentTypes);
  const ordered = [...assignmentTypes, ...Object.keys(grades).filter((type) => !inPolicy.has(type))];
  const attempted = ordered.filter((type) => Object.hasOwn(grades, type));
  return [...attempted.map((key) => ({ key, value: grades[key] as number })), { key: "total", value: total }];
}
