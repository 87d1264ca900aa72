import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { ListTable } from "../parts/list-table.js";
import { PageTitle } from "../parts/page-title.js";
import { Pager } from "../parts/pager.js";
import { useChapter } from "../reader/chapter.js";
import { useWords } from "../reader/words.js";
import { useMayDesignTypes } from "./use-may-design-types.js";

const PAGE_SIZE = 50;

/** Everything that can be issued. */
export function TypeListPage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  return (
    <section className="page" aria-busy={!words}>
      <div className="page-head">
        <PageTitle title={shell.types} />
        {words && <NewType words={words} />}
      </div>
      {words && <Types words={words} />}
    </section>
  );
}

function NewType({ words }: { readonly words: DesigningWording }) {
  const why = useMayDesignTypes(words);
  return (
    <div className="actions">
      <Link to="/types/files" className="button">
        {words.files.title}
      </Link>
      {why === undefined ? (
        <Link to="/types/new" className="button button-primary">
          {words.newType}
        </Link>
      ) : (
        <Button look="primary" why={why}>
          {words.newType}
        </Button>
      )}
    </div>
  );
}

function Types({ words }: { readonly words: DesigningWording }) {
  const { shell } = useWords();
  const search = useSearch({ from: "/types" });
  const navigate = useNavigate({ from: "/types" });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    ConfigurationService.method.listCredentialTypes,
    { pageSize: PAGE_SIZE, pageToken: search.page ?? "" },
    { placeholderData: keepPreviousData },
  );
  const types = data?.credentialTypes ?? [];
  return (
    <>
      <p className="intro">{words.typesMean}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && types.length === 0 && (
        <div className="empty">
          <h2>{words.none}</h2>
          <p>{words.noneMeans}</p>
        </div>
      )}
      {types.length > 0 && (
        <ListTable
          caption={shell.types}
          headings={[words.name, words.eligibility, words.design]}
          isStale={isPlaceholderData}
        >
          {types.map(({ id, name, retrievalFunc, generationFunc }) => (
            <tr key={id}>
              <th scope="row" className="main-cell">
                <Link to="/types/$id" params={{ id: String(id) }} className="row-link">
                  <bdi>{name}</bdi>
                </Link>
              </th>
              <td data-label={words.eligibility}>
                <code dir="ltr">{shortName(retrievalFunc)}</code>
              </td>
              <td data-label={words.design}>
                <code dir="ltr">{shortName(generationFunc)}</code>
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <Pager
        isFirst={search.page === undefined}
        next={data?.nextPageToken}
        onTurn={(page) => void navigate({ search: { page } })}
      />
    </>
  );
}

/** The function of a dotted path. */
function shortName(path: string): string {
  return path.split(".").at(-1) ?? path;
}
