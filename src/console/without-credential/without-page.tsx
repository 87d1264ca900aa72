import { useQuery } from "@connectrpc/connect-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { Empty } from "../components/empty.js";
import { Failure } from "../components/failure.js";
import { PageTitle } from "../components/page-title.js";
import { Pager } from "../components/pager.js";
import { ConfigurationPicker } from "../configurations/configuration-picker.js";
import { type NamedConfiguration, useConfigurations } from "../configurations/use-configurations.js";
import { useChapter } from "../i18n/chapter.js";
import { absentOf } from "./absent-learners.js";
import { AbsentTable } from "./absent-table.js";

/** Enrolled learners that a page looks at; those of them who have no credential are shown. */
const PAGE_SIZE = 200;

/** Who is enrolled and has no credential, and why. */
export function WithoutPage() {
  const issuing = useChapter("issuing");
  const { configuration } = useSearch({ from: "/without-credential" });
  const navigate = useNavigate({ from: "/without-credential" });
  const id = configuration === undefined ? undefined : Number(configuration);
  const chosen = useConfigurations().all?.find((each) => each.id === id);
  return (
    <section className="page">
      <PageTitle title={issuing.without.title} />
      <p className="intro">{issuing.without.means}</p>
      <ConfigurationPicker
        chosen={id}
        onChoose={(next) => void navigate({ search: { configuration: String(next) } })}
      />
      {chosen && <Absent configuration={chosen} />}
    </section>
  );
}

function Absent({ configuration }: { readonly configuration: NamedConfiguration }) {
  const issuing = useChapter("issuing");
  const { page } = useSearch({ from: "/without-credential" });
  const { id, learningContextKey } = configuration;
  const enrolled = useQuery(LearnerRecordService.method.searchLearners, {
    learningContextKey,
    pageSize: PAGE_SIZE,
    pageToken: page ?? "",
  });
  const learners = enrolled.data?.learners.flatMap(({ learner }) => learner ?? []) ?? [];
  const usernames = learners.map(({ username }) => username);
  const judged = useQuery(
    CredentialService.method.startIssuanceRun,
    { configurationId: id, usernames, dryRun: true },
    { enabled: usernames.length > 0 },
  );
  const error = enrolled.error ?? judged.error;
  const isThere = enrolled.data !== undefined && (usernames.length === 0 || judged.data !== undefined);
  const absent = absentOf(learners, judged.data?.plan?.listedLearners ?? []);
  const next = enrolled.data?.nextPageToken;
  return (
    <>
      {error && <Failure error={error} onRetry={() => void (enrolled.error ? enrolled : judged).refetch()} />}
      {!isThere && !error && <p role="status">{issuing.list.judging}</p>}
      {isThere && absent.length === 0 && !next && page === undefined && (
        <Empty title={issuing.without.empty} />
      )}
      {isThere && absent.length > 0 && <AbsentTable absent={absent} configuration={configuration} />}
      <Pager next={next} />
    </>
  );
}
