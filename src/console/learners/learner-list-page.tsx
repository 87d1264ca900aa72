import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import {
  type FoundLearner,
  LearnerRecordService,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Chip } from "../components/chip.js";
import { Empty } from "../components/empty.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { SearchForm } from "../components/search-form.js";
import { useContextName } from "../contexts/use-context-name.js";
import { useFormats, useLanguageTag, useWords } from "../i18n/words.js";

const NewLearner = lazily(() => import("../setup/new-learner.js"), "NewLearner");
const SetupButtons = lazily(() => import("../setup/setup-buttons.js"), "SetupButtons");

export function LearnerListPage() {
  const { learners: words, shell, credentials } = useWords();
  const { number } = useFormats();
  const { q = "", context = "", page } = useSearch({ from: "/learners" });
  const tag = useLanguageTag();
  const navigate = useNavigate({ from: "/learners" });
  const isAll = !q && !context;
  const contextName = useContextName(context);
  const found = usePage(LearnerRecordService.method.searchLearners, {
    query: q,
    learningContextKey: context,
  });
  // The service sorts by username. If the list is complete, it is sorted by name instead, as readers expect.
  const listed = found.data?.learners ?? [];
  const isComplete = !page && found.data?.nextPageToken === "";
  const rows = isComplete ? byName(listed, tag) : listed;
  return (
    <section className="page">
      <div className="page-head">
        <PageTitle title={shell.learners} />
        <div className="actions">
          <NewLearner />
        </div>
      </div>
      <SearchForm
        label={words.searchLabel}
        query={q}
        onSearch={(next) => void navigate({ search: { context, q: next } })}
      />
      {context && (
        <ul className="chips" aria-label={credentials.filters}>
          <Chip
            label={words.enrolledIn}
            value={contextName}
            onRemove={() => void navigate({ search: { q } })}
          />
        </ul>
      )}
      <PagedTable
        of={found}
        rows={rows}
        none={
          <Empty title={credentials.noneFound} means={isAll ? words.noneYetMeans : words.noneFoundMeans}>
            {isAll && <SetupButtons />}
          </Empty>
        }
        caption={shell.learners}
        headings={[
          isComplete ? { ordered: words.name } : words.name,
          isComplete ? credentials.username : { ordered: credentials.username },
          words.email,
          { amount: shell.credentials },
        ]}
      >
        {({ learner, credentialCount }) => (
          <tr key={learner?.username}>
            <td className="main-cell">
              <Link
                to="/learners/$username"
                params={{ username: learner?.username ?? "" }}
                className="row-link"
              >
                {learner?.fullName ? <bdi>{learner.fullName}</bdi> : words.noName}
              </Link>
            </td>
            <td data-label={credentials.username}>
              <bdi>{learner?.username}</bdi>
            </td>
            <td>
              <bdi>{learner?.email}</bdi>
            </td>
            <td className="amount" data-label={shell.credentials}>
              {number(credentialCount)}
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}

function byName(learners: readonly FoundLearner[], tag: string): readonly FoundLearner[] {
  const { compare } = new Intl.Collator(tag);
  const nameOf = ({ learner }: FoundLearner) => learner?.fullName || learner?.username || "";
  return [...learners].sort((one, other) => compare(nameOf(one), nameOf(other)));
}
