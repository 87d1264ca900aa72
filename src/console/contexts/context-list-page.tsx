import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Empty } from "../components/empty.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { SearchForm } from "../components/search-form.js";
import { useFormats, useWords } from "../i18n/words.js";

const NewCourse = lazily(() => import("../setup/new-course.js"), "NewCourse");
const SetupButtons = lazily(() => import("../setup/setup-buttons.js"), "SetupButtons");

/** The service stops counting at this number. If a count is this number, there may be more. */
const MAX_COUNT = 10_000;

export function ContextListPage() {
  const { contexts: words, shell, credentials } = useWords();
  const { number } = useFormats();
  const { q = "" } = useSearch({ from: "/contexts" });
  const navigate = useNavigate({ from: "/contexts" });
  const found = usePage(LearnerRecordService.method.listLearningContexts, { query: q });
  const counted = (count: number) => `${number(count)}${count >= MAX_COUNT ? "+" : ""}`;
  return (
    <section className="page">
      <div className="page-head">
        <PageTitle title={shell.contexts} />
        <div className="actions">
          <NewCourse />
        </div>
      </div>
      <SearchForm
        label={words.searchLabel}
        query={q}
        onSearch={(next) => void navigate({ search: { q: next } })}
      />
      <PagedTable
        of={found}
        rows={found.data?.contexts}
        none={
          <Empty title={credentials.noneFound} means={q ? words.noneFoundMeans : words.noneYetMeans}>
            {!q && <SetupButtons />}
          </Empty>
        }
        caption={shell.contexts}
        headings={[
          credentials.context,
          { amount: words.enrolled },
          { amount: words.configured },
          { amount: words.issued },
        ]}
      >
        {(context) => (
          <tr key={context.learningContextKey}>
            <td className="main-cell">
              <Link to="/credentials" search={{ context: context.learningContextKey }} className="row-link">
                <bdi>{context.displayName || context.learningContextKey}</bdi>
              </Link>
              <span className="second">
                {context.category && (
                  <>
                    <bdi>{context.category}</bdi> ·{" "}
                  </>
                )}
                <code dir="ltr">{context.learningContextKey}</code>
              </span>
            </td>
            <td className="amount" data-label={words.enrolled}>
              <Link to="/learners" search={{ context: context.learningContextKey }}>
                {counted(context.enrolledCount)}
              </Link>
            </td>
            <td className="amount" data-label={words.configured}>
              {number(context.configuredCount)}
            </td>
            <td className="amount" data-label={words.issued}>
              <Link to="/credentials" search={{ context: context.learningContextKey }}>
                {counted(context.issuedCount)}
              </Link>
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}
