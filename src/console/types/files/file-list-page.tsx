import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import type { Asset } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../../components/button.js";
import { Empty } from "../../components/empty.js";
import { lazily } from "../../components/lazily.js";
import { PageTitle } from "../../components/page-title.js";
import { PagedTable, usePage } from "../../components/paged-table.js";
import { useMayDesignTypes } from "../../components/use-may-design-types.js";
import { useChapter, useFormats, useWords } from "../../i18n/words.js";
import { FilePicture } from "../../options/file-picture.js";
import "./files.css";

const FileDialog = lazily(() => import("./file-dialog.js"), "FileDialog");
const UploadDialog = lazily(() => import("./upload-dialog.js"), "UploadDialog");
const RemovalDialog = lazily(() => import("../../components/removal-dialog.js"), "RemovalDialog");

const { method } = ConfigurationService;
const BYTES_IN_KB = 1024;

/** The page templates, images and fonts that designs can use. */
export function FileListPage() {
  const { shell } = useWords();
  const files = useChapter("files");
  const { optionNames } = useChapter("designing");
  const [uploading, setUploading] = useState<readonly File[]>();
  const [isOver, setOver] = useState(false);
  const why = useMayDesignTypes();
  const found = usePage(method.listAssets, {});
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: people who can't drop files can select them in the dialog
    <section
      className="page"
      data-over={isOver}
      onDragOver={(event) => {
        if (why !== undefined || !event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (why !== undefined) return;
        event.preventDefault();
        setOver(false);
        setUploading([...event.dataTransfer.files]);
      }}
    >
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <div className="page-head">
        <PageTitle title={files.title} />
        <div className="actions">
          <Button variant="primary" why={why} onPress={() => setUploading([])}>
            {files.upload}
          </Button>
        </div>
      </div>
      <p className="intro">
        {files.means} {files.drop}
      </p>
      <PagedTable
        of={found}
        rows={found.data?.assets}
        none={<Empty title={files.none} means={files.noneMeans} />}
        caption={files.title}
        headings={[
          files.slug,
          files.kind,
          { amount: optionNames[".size"] ?? "" },
          files.uploaded,
          files.remove,
        ]}
      >
        {(asset) => <FileRow key={asset.slug} asset={asset} />}
      </PagedTable>
      {uploading && <UploadDialog dropped={uploading} onClose={() => setUploading(undefined)} />}
    </section>
  );
}

function FileRow({ asset }: { readonly asset: Asset }) {
  const { slug, etag, kind, size, uploadTime } = asset;
  const files = useChapter("files");
  const { optionNames } = useChapter("designing");
  const { colon, moment } = useFormats();
  const [isRemoving, setRemoving] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const why = useMayDesignTypes();
  return (
    <tr>
      <th scope="row" className="main-cell">
        <button type="button" className="text-button row-link file-name" onClick={() => setOpen(true)}>
          <FilePicture asset={asset} />
          <code dir="ltr">{slug}</code>
        </button>
        {isOpen && <FileDialog asset={asset} onClose={() => setOpen(false)} />}
      </th>
      <td data-label={files.kind}>{textFor(files.kinds, kind) ?? ""}</td>
      <td className="amount" data-label={optionNames[".size"]}>
        {files.kilobytes({ number: Math.ceil(size / BYTES_IN_KB) })}
      </td>
      <td className="moment" data-label={files.uploaded}>
        {uploadTime && moment(uploadTime)}
      </td>
      <td>
        <Button
          variant="quiet"
          why={why}
          aria-label={`${files.remove}${colon}${slug}`}
          onPress={() => setRemoving(true)}
        >
          {files.remove}
        </Button>
        {isRemoving && (
          <RemovalDialog
            label={files.removeNow}
            what={slug}
            means={files.removeMeans}
            method={method.deleteAsset}
            request={{ slug, etag }}
            commands={[["asset", "delete", slug]]}
            onClose={() => setRemoving(false)}
          />
        )}
      </td>
    </tr>
  );
}
