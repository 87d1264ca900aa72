import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { Asset } from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../../languages/en/designing.js";
import { Button } from "../../parts/button.js";
import { Failure } from "../../parts/failure.js";
import { ListTable } from "../../parts/list-table.js";
import { PageTitle } from "../../parts/page-title.js";
import { Pager } from "../../parts/pager.js";
import { useChapter } from "../../reader/chapter.js";
import { useFormats, useWords } from "../../reader/words.js";
import { useMayDesignTypes } from "../use-may-design-types.js";

/** Dialogs are large, and come when they are opened. */
const UploadDialog = lazy(async () => ({ default: (await import("./upload-dialog.js")).UploadDialog }));
const DeleteFileDialog = lazy(async () => ({
  default: (await import("./delete-file-dialog.js")).DeleteFileDialog,
}));

const PAGE_SIZE = 50;
const BYTES_IN_KB = 1024;

/** The page templates, images and fonts that designs name. */
export function FileListPage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  return (
    <section className="page" aria-busy={!words}>
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <div className="page-head">
        <PageTitle title={words?.files.title ?? shell.types} />
        {words && <Upload words={words} />}
      </div>
      {words && <Files words={words} />}
    </section>
  );
}

function Upload({ words }: { readonly words: DesigningWording }) {
  const [isUploading, setUploading] = useState(false);
  const why = useMayDesignTypes(words);
  return (
    <div className="actions">
      <Button look="primary" why={why} onPress={() => setUploading(true)}>
        {words.files.upload}
      </Button>
      <Suspense>
        {isUploading && <UploadDialog words={words.files} onClose={() => setUploading(false)} />}
      </Suspense>
    </div>
  );
}

function Files({ words }: { readonly words: DesigningWording }) {
  const { files } = words;
  const search = useSearch({ from: "/types/files" });
  const navigate = useNavigate({ from: "/types/files" });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    ConfigurationService.method.listAssets,
    { pageSize: PAGE_SIZE, pageToken: search.page ?? "" },
    { placeholderData: keepPreviousData },
  );
  const assets = data?.assets ?? [];
  return (
    <>
      <p className="intro">{files.means}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && assets.length === 0 && (
        <div className="empty">
          <h2>{files.none}</h2>
          <p>{files.noneMeans}</p>
        </div>
      )}
      {assets.length > 0 && (
        <ListTable
          caption={files.title}
          headings={[files.slug, files.kind, { amount: files.size }, files.uploaded, files.remove]}
          isStale={isPlaceholderData}
        >
          {assets.map((asset) => (
            <FileRow key={asset.slug} asset={asset} words={words} />
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

function FileRow({ asset, words }: { readonly asset: Asset; readonly words: DesigningWording }) {
  const { slug, kind, size, uploadTime } = asset;
  const { files } = words;
  const { moment, number } = useFormats();
  const [isRemoving, setRemoving] = useState(false);
  const why = useMayDesignTypes(words);
  return (
    <tr>
      <th scope="row" className="main-cell">
        <code dir="ltr">{slug}</code>
      </th>
      <td data-label={files.kind}>{files.kinds[kind] ?? ""}</td>
      <td className="amount" data-label={files.size}>
        {files.kilobytes.replace("{number}", number(Math.ceil(size / BYTES_IN_KB)))}
      </td>
      <td className="date" data-label={files.uploaded}>
        {uploadTime && moment(uploadTime)}
      </td>
      <td>
        <Button
          look="quiet"
          why={why}
          aria-label={`${files.remove}: ${slug}`}
          onPress={() => setRemoving(true)}
        >
          {files.remove}
        </Button>
        <Suspense>
          {isRemoving && <DeleteFileDialog asset={asset} words={files} onClose={() => setRemoving(false)} />}
        </Suspense>
      </td>
    </tr>
  );
}
