import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import {
  EligibilityService,
  type WithheldResults,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { Empty } from "../components/empty.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { Pager } from "../components/pager.js";
import { useChapter } from "../i18n/words.js";
import { ConfigurationPicker } from "../offers/configuration-picker.js";
import { useConfigurations } from "../offers/use-configurations.js";
import { reasonNamed } from "./absence.js";
import { AbsentTable } from "./absent-table.js";

const ExportAbsent = lazily(() => import("./export-absent.js"), "ExportAbsent");

const PAGE_SIZE = 100;

export function WithoutPage() {
  const issuing = useChapter("issuing");
  const { configuration } = useSearch({ from: "/without-credential" });
  const navigate = useNavigate({ from: "/without-credential" });
  const id = configuration === undefined ? undefined : Number(configuration);
  return (
    <section className="page">
      <PageTitle title={issuing.without.title} />
      <p className="intro">{issuing.without.means}</p>
      <ConfigurationPicker
        chosen={id}
        onChoose={(next) => void navigate({ search: { configuration: String(next) } })}
      />
      {id !== undefined && <Absent key={id} configurationId={id} />}
    </section>
  );
}

function Absent({ configurationId }: { readonly configurationId: number }) {
  const issuing = useChapter("issuing");
  const { page = "", reason: named } = useSearch({ from: "/without-credential" });
  const reason = reasonNamed(named);
  const { all: offers } = useConfigurations();
  const { data, error, refetch, isPlaceholderData } = useQuery(
    EligibilityService.method.listLearnersWithoutCredential,
    { configurationId, pageSize: PAGE_SIZE, pageToken: page, ...(reason !== undefined && { reason }) },
    { placeholderData: keepPreviousData },
  );
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <p role="status">{issuing.list.judging}</p>;
  const contextKey = offers?.find(({ id }) => id === configurationId)?.learningContextKey ?? "";
  const count = data.counts.reduce((sum, each) => sum + each.count, 0);
  return (
    <>
      <Doubts heading={issuing.without.withheld} about={data.withheld} />
      <Doubts heading={issuing.without.unread} about={data.unread} />
      {count === 0 ? (
        <Empty title={issuing.without.empty} />
      ) : (
        <>
          <div className="actions">
            <p>{issuing.without.counted({ none: count, enrolled: data.enrolledCount })}</p>
            <ExportAbsent configurationId={configurationId} contextKey={contextKey} reason={reason} />
          </div>
          <AbsentTable found={data} contextKey={contextKey} reason={reason} isStale={isPlaceholderData} />
        </>
      )}
      <Pager next={data.nextPageToken} />
    </>
  );
}

/** Shows which data about the courses is unknown, in the service's words. */
function Doubts({
  heading,
  about,
}: {
  readonly heading: string;
  readonly about: readonly WithheldResults[];
}) {
  if (about.length === 0) return null;
  return (
    <div className="notice notice-warn">
      <p className="notice-heading">{heading}</p>
      <ul lang="en" dir="ltr">
        {about.map(({ connector, courseKey, what }) => (
          <li key={`${connector} ${courseKey} ${what}`}>
            {connector}, {courseKey}: {what}
          </li>
        ))}
      </ul>
    </div>
  );
}
