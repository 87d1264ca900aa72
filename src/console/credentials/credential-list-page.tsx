import { useQuery, useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { MAX_ROWS } from "#foundation/text/tables/write-csv.js";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import type { CredentialStatusCount } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { isNarrowed } from "../components/address.js";
import { Button } from "../components/button.js";
import { Empty } from "../components/empty.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { Pager } from "../components/pager.js";
import { useMay } from "../components/use-may.js";
import { useWords } from "../i18n/words.js";
import { CredentialFilters } from "./credential-filters.js";
import { countRequest, searchRequest } from "./credential-requests.js";
import type { CredentialSearch } from "./credential-search.js";
import { CredentialTable } from "./credential-table.js";
import { exportCredentials } from "./export-credentials.js";
import { SelectedDocuments } from "./selected-documents.js";
import { totalOf } from "./status-counts.js";
import { StatusTabs } from "./status-tabs.js";

const BulkDialog = lazily(() => import("./bulk-dialog.js"), "BulkDialog");

const PAGE_SIZE = 50;

type BulkAction = "invalidate" | "reissue";

export function CredentialListPage() {
  const { credentials: words, shell, parts } = useWords();
  const search = useSearch({ from: "/credentials" });
  const navigate = useNavigate({ from: "/credentials" });
  const transport = useTransport();
  const found = useQuery(CredentialService.method.searchCredentials, searchRequest(search, PAGE_SIZE), {
    placeholderData: keepPreviousData,
  });
  const counts = useQuery(CredentialService.method.countCredentials, countRequest(search), {
    placeholderData: keepPreviousData,
  });
  const selection = useSelection();
  const { chosen, choose } = selection;
  const [action, setAction] = useState<BulkAction>();
  const saving = useMutation({
    mutationFn: () =>
      exportCredentials(transport, search, chosen.size === 0 ? undefined : selection.selected),
  });

  const rows = found.data?.credentials ?? [];

  function show(next: CredentialSearch, replace = false) {
    choose(new Map());
    void navigate({ search: next, replace });
  }

  return (
    <section className="page">
      <div className="page-head">
        <PageTitle title={shell.credentials} />
        <div className="actions">
          {chosen.size === 0 && rows.length > 0 && (
            <SelectedDocuments search={search} counts={counts.data?.counts} chosen={undefined} />
          )}
          <Button onPress={() => saving.mutate()} isDisabled={saving.isPending || rows.length === 0}>
            {saving.isPending ? parts.working : words.exportCsv}
          </Button>
        </div>
      </div>
      <CredentialFilters search={search} onChange={show} />
      <StatusTabs search={search} counts={counts.data?.counts} />
      {saving.data && <p role="status">{words.exportLimited({ count: MAX_ROWS })}</p>}
      {saving.error && <Failure error={saving.error} />}
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <div className="table-frame" aria-busy="true" />}
      {found.data && rows.length === 0 && <NothingFound of={search} onClear={() => show({})} />}
      {rows.length > 0 && (
        <>
          <SelectionBar
            search={search}
            counts={counts.data?.counts}
            selection={selection}
            rowCount={rows.length}
            onAct={setAction}
          />
          <CredentialTable rows={rows} chosen={chosen} onChoose={choose} isStale={found.isPlaceholderData} />
          <Pager next={found.data?.nextPageToken} onTurn={() => choose(new Map())} />
        </>
      )}
      {action && (
        <BulkDialog
          action={action}
          search={search}
          chosen={selection.selected}
          onClose={() => setAction(undefined)}
          onDone={() => choose(new Map())}
        />
      )}
    </section>
  );
}

type Selection = ReturnType<typeof useSelection>;

function useSelection() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Credential>>(new Map());
  const [isEveryChosen, setEveryChosen] = useState(false);
  return {
    chosen,
    isEveryChosen,
    /** The selected credentials; undefined if all results of the search are selected. */
    selected: isEveryChosen ? undefined : chosen,
    choose(next: ReadonlyMap<string, Credential>) {
      setChosen(next);
      setEveryChosen(false);
    },
    chooseEvery: () => setEveryChosen(true),
  };
}

/** Says how many credentials are selected, and what can be done with them. */
function SelectionBar({
  search,
  counts,
  selection: { chosen, isEveryChosen, selected, choose, chooseEvery },
  rowCount,
  onAct,
}: {
  readonly search: CredentialSearch;
  readonly counts: readonly CredentialStatusCount[] | undefined;
  readonly selection: Selection;
  readonly rowCount: number;
  readonly onAct: (action: BulkAction) => void;
}) {
  const { credentials: words } = useWords();
  const may = useMay();
  const total = totalOf(counts, search.status);
  return (
    <div className="selection" data-active={chosen.size > 0}>
      {chosen.size > 0 && (
        <>
          <strong role="status">
            {isEveryChosen
              ? words.allSelected({ count: total?.count ?? rowCount })
              : words.selected({ count: chosen.size })}
          </strong>
          {!isEveryChosen && total && chosen.size === rowCount && total.count > rowCount && (
            <Button variant="quiet" onPress={chooseEvery}>
              {words.selectAllMatching({ count: total.count })}
            </Button>
          )}
          <span className="selection-actions">
            <SelectedDocuments search={search} counts={counts} chosen={selected} />
            <Button why={may("registrar")} onPress={() => onAct("reissue")}>
              {words.reissue}
            </Button>
            <Button why={may("registrar")} onPress={() => onAct("invalidate")}>
              {words.invalidate}
            </Button>
            <Button variant="quiet" onPress={() => choose(new Map())}>
              {words.clearSelection}
            </Button>
          </span>
        </>
      )}
    </div>
  );
}

function NothingFound({ of, onClear }: { readonly of: CredentialSearch; readonly onClear: () => void }) {
  const { credentials: words, shell } = useWords();
  return isNarrowed(of) ? (
    <Empty title={words.noneFound} means={words.noneFoundMeans}>
      <Button onPress={onClear}>{words.clearFilters}</Button>
    </Empty>
  ) : (
    <Empty title={words.noneYet} means={words.noneYetMeans}>
      <Link to="/runs" className="button">
        {shell.runs}
      </Link>
    </Empty>
  );
}
