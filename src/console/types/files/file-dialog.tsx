import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { keyParts } from "#foundation/text/key-parts.js";
import { type Asset, AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  type AssetUse,
  ConfigurationService,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { Failure } from "../../components/failure.js";
import { PdfView } from "../../components/pdf-view.js";
import { saveFile } from "../../components/save-file.js";
import { useChapter, useLanguageTag, useWords } from "../../i18n/words.js";
import { formatOf, PICTURES } from "../../options/file-formats.js";
import { BlobImage } from "../../options/file-picture.js";

export function FileDialog({ asset, onClose }: { readonly asset: Asset; readonly onClose: () => void }) {
  const { parts } = useWords();
  const words = useChapter("files");
  const tag = useLanguageTag();
  const { data, error, refetch } = useQuery(ConfigurationService.method.getAsset, { slug: asset.slug });
  const { type, ending } = formatOf(asset.kind);
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
          {PICTURES.includes(asset.kind) && (
            <BlobImage bytes={data.content} type={type} label={asset.slug} className="file-picture" />
          )}
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
  const words = useChapter("files");
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
