import { useQuery, useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
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
  const may = useMay();
  const found = useQuery(CredentialService.method.searchCredentials, searchRequest(search, PAGE_SIZE), {
    placeholderData: keepPreviousData,
  });
  const counts = useQuery(CredentialService.method.countCredentials, countRequest(search), {
    placeholderData: keepPreviousData,
  });
  const [chosen, setChosen] = useState<ReadonlyMap<string, Credential>>(new Map());
  const [isEveryChosen, setEveryChosen] = useState(false);
  const [action, setAction] = useState<BulkAction>();
  const saving = useMutation({
    mutationFn: () =>
      exportCredentials(transport, search, isEveryChosen || chosen.size === 0 ? undefined : chosen),
  });

  const rows = found.data?.credentials ?? [];
  const total = totalOf(counts.data?.counts, search.status);

  function show(next: CredentialSearch, replace = false) {
    choose(new Map());
    void navigate({ search: next, replace });
  }
  function choose(next: ReadonlyMap<string, Credential>) {
    setChosen(next);
    setEveryChosen(false);
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
      {saving.error && <Failure error={saving.error} />}
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && rows.length === 0 && <NothingFound of={search} onClear={() => show({})} />}
      {rows.length > 0 && (
        <>
          <div className="selection" data-active={chosen.size > 0}>
            {chosen.size > 0 && (
              <>
                <strong role="status">
                  {isEveryChosen
                    ? words.allSelected({ count: total?.count ?? rows.length })
                    : words.selected({ count: chosen.size })}
                </strong>
                {!isEveryChosen && total && chosen.size === rows.length && total.count > rows.length && (
                  <Button variant="quiet" onPress={() => setEveryChosen(true)}>
                    {words.selectAllMatching({ count: total.count })}
                  </Button>
                )}
                <span className="selection-actions">
                  <SelectedDocuments
                    search={search}
                    counts={counts.data?.counts}
                    chosen={isEveryChosen ? undefined : chosen}
                  />
                  <Button why={may("registrar")} onPress={() => setAction("reissue")}>
                    {words.reissue}
                  </Button>
                  <Button why={may("registrar")} onPress={() => setAction("invalidate")}>
                    {words.invalidate}
                  </Button>
                  <Button variant="quiet" onPress={() => choose(new Map())}>
                    {words.clearSelection}
                  </Button>
                </span>
              </>
            )}
          </div>
          <CredentialTable rows={rows} chosen={chosen} onChoose={choose} isStale={found.isPlaceholderData} />
          <Pager next={found.data?.nextPageToken} onTurn={() => choose(new Map())} />
        </>
      )}
      {action && (
        <BulkDialog
          action={action}
          search={search}
          chosen={isEveryChosen ? undefined : chosen}
          onClose={() => setAction(undefined)}
          onDone={() => choose(new Map())}
        />
      )}
    </section>
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
