import { useState } from "react";
import type { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { TextField } from "../components/fields.js";
import { useChapter, useWords } from "../i18n/words.js";
import { slugOf } from "../service/uploads.js";
import { FilePicture } from "./file-picture.js";
import { UploadArea } from "./upload-area.js";
import { useAssets } from "./use-assets.js";
import "../style/tile.css";

const MAX_WITHOUT_SEARCH = 12;

/** Selects a file by its picture, or uploads a new one. */
export function FileChooser({
  label,
  kinds,
  chosen = "",
  onChoose,
  onClose,
}: {
  /** Purpose of the file. */
  readonly label: string;
  readonly kinds: readonly AssetKind[];
  readonly chosen?: string;
  /** Called with an empty text to remove the selected file. */
  readonly onChoose: (slug: string) => void;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const words = useChapter("files");
  const { removeOption } = useChapter("designing");
  const all = useAssets();
  const [find, setFind] = useState("");
  const [current, setCurrent] = useState(chosen);
  const assets = (all ?? []).filter(({ kind }) => kinds.includes(kind));
  const found = assets.filter(({ slug }) => slug.includes(slugOf(find)));
  function choose(slug: string) {
    onChoose(slug);
    onClose();
  }
  return (
    <Dialog title={label} isWide onClose={onClose}>
      <UploadArea
        kinds={kinds}
        onUploaded={(slug, hasNotes) => {
          if (!hasNotes) return choose(slug);
          setCurrent(slug);
          onChoose(slug);
        }}
      >
        {assets.length > MAX_WITHOUT_SEARCH && (
          <TextField type="search" label={words.find} value={find} onType={setFind} dir="auto" />
        )}
        {all && found.length === 0 && <p className="faint">{find === "" ? words.none : words.notFound}</p>}
        <ul className="file-tiles" aria-label={label}>
          {found.map((asset) => (
            <li key={asset.slug}>
              <button
                type="button"
                className="tile file-tile"
                aria-pressed={asset.slug === current}
                onClick={() => choose(asset.slug)}
              >
                <FilePicture asset={asset} />
                <bdi>{asset.slug}</bdi>
              </button>
            </li>
          ))}
        </ul>
      </UploadArea>
      <div className="dialog-actions">
        {chosen !== "" && <Button onPress={() => choose("")}>{removeOption({ option: chosen })}</Button>}
        <Button onPress={onClose}>{parts.close}</Button>
      </div>
    </Dialog>
  );
}
