import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { Failure } from "../components/failure.js";
import { useChapter } from "../i18n/chapter.js";
import { useAssets } from "./use-assets.js";

/** Button to upload a file under an unused name. */
export function UploadButton({
  of,
  onUploaded,
}: {
  /** Id of the element that says what the file is for. */
  readonly of: string;
  readonly onUploaded: (slug: string) => void;
}) {
  const id = useId();
  const { files: words } = useChapter("designing");
  const assets = useAssets();
  const client = useQueryClient();
  const upload = useMutation({
    async mutationFn(file: File) {
      const { freeSlug, uploadAsset } = await import("../service/uploads.js");
      return uploadAsset(freeSlug(file.name, assets ?? []), file, "");
    },
    onSuccess: ({ slug }) => onUploaded(slug),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <>
      <label className="button button-quiet">
        <span id={id}>{words.upload}</span>
        <input
          type="file"
          className="away-from-view"
          accept=".pdf,.png,.jpg,.jpeg,.svg"
          aria-labelledby={`${id} ${of}`}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) upload.mutate(file);
            currentTarget.value = "";
          }}
        />
      </label>
      {upload.error && <Failure error={upload.error} />}
    </>
  );
}
