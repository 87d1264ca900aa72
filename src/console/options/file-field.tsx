import { useState } from "react";
import type { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { lazily } from "../components/lazily.js";
import { useChapter } from "../i18n/words.js";
import { useAssets } from "./use-assets.js";
import "./file-field.css";

const FilePicture = lazily(() => import("./file-picture.js"), "FilePicture");
const FileChooser = lazily(() => import("./file-chooser.js"), "FileChooser");

export function FileField({
  id,
  label,
  kinds,
  slug,
  none,
  field,
  isReadOnly,
  isWrong = false,
  described = "",
  onChoose,
}: {
  /** Id of the button. The id of its label ends in `-label`. */
  readonly id: string;
  /** Purpose of the file. */
  readonly label: string;
  readonly kinds: readonly AssetKind[];
  /** Empty if no file is selected. */
  readonly slug: string;
  /** Text to show if no file is selected. */
  readonly none?: string;
  /** Path of the request field that this field sets. An error about that request field focuses this field. */
  readonly field?: string;
  readonly isReadOnly: boolean;
  readonly isWrong?: boolean;
  /** Ids of the elements that describe the field. */
  readonly described?: string;
  /** Called with an empty text to remove the file. */
  readonly onChoose: (slug: string) => void;
}) {
  const words = useChapter("designing");
  const assets = useAssets();
  const [isOpen, setOpen] = useState(false);
  const asset = assets?.find((each) => each.slug === slug);
  const isMissing = slug !== "" && assets !== undefined && !asset;
  return (
    <>
      <button
        id={id}
        type="button"
        className="file-chosen"
        value={slug}
        disabled={isReadOnly}
        data-field={field}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-file`}
        aria-describedby={described || undefined}
        data-wrong={isWrong || isMissing}
        onClick={() => setOpen(true)}
      >
        {slug !== "" && <span className="file-spot">{asset && <FilePicture asset={asset} />}</span>}
        <span id={`${id}-file`}>
          {slug === "" ? (none ?? words.chooseFile) : <bdi>{slug}</bdi>}
          {isMissing && <span className="fault"> {words.missingFile}</span>}
        </span>
      </button>
      {isOpen && (
        <FileChooser
          label={label}
          kinds={kinds}
          chosen={slug}
          onChoose={onChoose}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
