import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Asset, AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  type AssetUse,
  ConfigurationService,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { Failure } from "../../components/failure.js";
import { keyParts } from "../../components/key-parts.js";
import { PdfView } from "../../components/pdf-view.js";
import { saveFile } from "../../components/save-file.js";
import { useChapter } from "../../i18n/chapter.js";
import { useLanguageTag, useWords } from "../../i18n/words.js";

/** Media type and file name extension of each kind. */
const formats: Readonly<Record<number, { readonly type: string; readonly ending: string }>> = {
  [AssetKind.PDF]: { type: "application/pdf", ending: "pdf" },
  [AssetKind.PNG]: { type: "image/png", ending: "png" },
  [AssetKind.JPEG]: { type: "image/jpeg", ending: "jpg" },
  [AssetKind.SVG]: { type: "image/svg+xml", ending: "svg" },
  [AssetKind.FONT]: { type: "font/sfnt", ending: "ttf" },
};

/** A file with a preview, and where it is used. */
export function FileDialog({ asset, onClose }: { readonly asset: Asset; readonly onClose: () => void }) {
  const { parts } = useWords();
  const { files: words } = useChapter("designing");
  const tag = useLanguageTag();
  const { data, error, refetch } = useQuery(ConfigurationService.method.getAsset, { slug: asset.slug });
  const { type, ending } = formats[asset.kind] ?? { type: "", ending: "" };
  const scripts = new Intl.DisplayNames(tag, { type: "script" });
  const list = new Intl.ListFormat(tag);
  return (
    <Dialog title={asset.slug} isWide={asset.kind !== AssetKind.FONT} onClose={onClose}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          {asset.kind === AssetKind.PDF && (
            <PdfView identity={asset.sha256} label={asset.slug} load={async () => data.content.slice()} />
          )}
          {isPicture(asset.kind) && <Picture bytes={data.content} type={type} label={asset.slug} />}
          {data.scripts.length > 0 && (
            <p>
              {words.scripts} {list.format(data.scripts.map((code) => scripts.of(code) ?? code))}
            </p>
          )}
          <h3>{words.usedBy}</h3>
          {data.uses.length === 0 ? <p>{words.unused}</p> : <Uses of={data.uses} />}
        </>
      )}
      <div className="dialog-actions">
        <Button
          isDisabled={!data}
          onPress={() =>
            data && saveFile(`${asset.slug}.${ending}`, new Blob([data.content.slice()], { type }))
          }
        >
          {parts.download}
        </Button>
        <Button variant="primary" onPress={onClose}>
          {parts.close}
        </Button>
      </div>
    </Dialog>
  );
}

function isPicture(kind: AssetKind): boolean {
  return kind === AssetKind.PNG || kind === AssetKind.JPEG || kind === AssetKind.SVG;
}

/** Shown as an image, not as a document, so that it can't run scripts. */
function Picture({
  bytes,
  type,
  label,
}: {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly label: string;
}) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes.slice()], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url ? <img className="file-picture" src={url} alt={label} /> : null;
}

function Uses({ of }: { readonly of: readonly AssetUse[] }) {
  return (
    <ul className="offers">
      {of.map((use) => (
        <li key={`${use.user.case} ${use.user.value} ${use.option}`}>
          <User of={use} />{" "}
          <span className="second">
            <code dir="ltr">{use.option}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

function User({ of: { user, credentialType, learningContextKey } }: { readonly of: AssetUse }) {
  const { files: words } = useChapter("designing");
  const id = String(user.value);
  if (user.case === "credentialTypeId")
    return (
      <Link to="/types/$id" params={{ id }}>
        <bdi>{credentialType}</bdi>
      </Link>
    );
  if (user.case === "configurationId")
    return (
      <Link to="/configurations/$id" params={{ id }}>
        <bdi>{credentialType}</bdi> · <bdi>{keyParts(learningContextKey)}</bdi>
      </Link>
    );
  return (
    <Link to="/types/branding">
      {words.brandOf} <bdi>{user.value}</bdi>
    </Link>
  );
}
