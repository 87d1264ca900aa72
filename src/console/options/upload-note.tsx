import { isolated } from "../components/isolated.js";
import { useChapter, useFormats } from "../i18n/words.js";
import type { PixelSize } from "../service/prepared-picture.js";
import type { UploadedFile } from "../service/uploads.js";

/** Explains whether an uploaded file was scaled down, converted or cleaned, or had already been uploaded. */
export function UploadNote({
  of: { asset, change, isKnown },
}: {
  readonly of: Pick<UploadedFile, "asset" | "change"> & Partial<UploadedFile>;
}) {
  const words = useChapter("files");
  const { number } = useFormats();
  const size = ({ width, height }: PixelSize) => isolated(`${number(width)} × ${number(height)}`);
  return (
    <p role="status">
      {[
        isKnown && words.known({ name: isolated(asset.slug) }),
        change?.scaled &&
          words.scaled({ before: size(change.scaled.before), after: size(change.scaled.after) }),
        change?.format !== undefined && words.converted({ format: change.format }),
        change?.isCleaned && words.cleaned,
      ]
        .filter(Boolean)
        .join(" ")}
    </p>
  );
}
