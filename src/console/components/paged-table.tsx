import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { type UseQueryOptions, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData, type UseQueryResult } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { Failure } from "./failure.js";
import { ListTable } from "./list-table.js";
import { Pager } from "./pager.js";

const PAGE_SIZE = 50;

/** Queries the page of a list that the URL specifies. The previous page stays visible until the response arrives. */
export function usePage<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  options: UseQueryOptions<O> = {},
) {
  const { page: pageToken = "" } = useSearch({ strict: false });
  const paged = { pageSize: PAGE_SIZE, ...request, pageToken } as MessageInitShape<I>;
  return useQuery(method, paged, { placeholderData: keepPreviousData, ...options });
}

/** A page of a list as a table, with a link to the next page. While nothing is loaded yet, shows empty lines. */
export function PagedTable<Row>({
  of: { data, error, refetch, isPlaceholderData },
  rows = [],
  none,
  children,
  ...table
}: {
  readonly of: UseQueryResult<{ readonly $typeName: string; readonly nextPageToken?: string }, unknown>;
  /** undefined while the page is loading. */
  readonly rows: readonly Row[] | undefined;
  readonly none: ReactNode;
  readonly children: (row: Row) => ReactNode;
} & Pick<ComponentProps<typeof ListTable>, "caption" | "headings">) {
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <div className="table-frame" aria-busy="true" />}
      {data && rows.length === 0 && none}
      {rows.length > 0 && (
        <ListTable {...table} isStale={isPlaceholderData}>
          {rows.map(children)}
        </ListTable>
      )}
      <Pager next={data?.nextPageToken} />
    </>
  );
}
