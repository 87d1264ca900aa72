import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "../../components/button.js";
import { CodeLine } from "../../components/code-line.js";
import { Dialog } from "../../components/dialog.js";
import { Failure } from "../../components/failure.js";
import { TextField } from "../../components/fields.js";
import { useAssets } from "../../editing/options/use-assets.js";
import { useChapter } from "../../i18n/chapter.js";
import { useWords } from "../../i18n/words.js";
import { MAX_SLUG, slugOf, uploadAsset } from "../../service/uploads.js";

/** Uploads a file under the name by which options will refer to it. */
export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const { parts } = useWords();
  const { files: words } = useChapter("designing");
  const id = useId();
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [typed, setTyped] = useState<string>();
  const slug = typed ?? slugOf(file?.name ?? "");
  const replaced = useAssets()?.find((asset) => asset.slug === slug);
  const upload = useMutation({
    mutationFn: (chosen: File) => uploadAsset(slug, chosen, replaced?.etag ?? ""),
    async onSuccess() {
      await client.invalidateQueries();
      onClose();
    },
    onError: () => client.invalidateQueries(), // somebody else may have uploaded one of this name
  });
  return (
    <Dialog title={words.upload} onClose={onClose}>
      <div className="field">
        <label htmlFor={`${id}-file`}>{words.file}</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".pdf,.png,.jpg,.jpeg,.svg,.ttf,.otf"
          aria-describedby={`${id}-file-help`}
          onChange={({ currentTarget: { files } }) => {
            upload.reset();
            setFile(files?.[0]);
          }}
        />
        <p id={`${id}-file-help`} className="small faint">
          {words.fileMeans}
        </p>
      </div>
      <TextField
        label={words.slug}
        help={words.slugMeans}
        dir="ltr"
        spellCheck={false}
        maxLength={MAX_SLUG}
        value={slug}
        onType={(text) => {
          upload.reset();
          setTyped(text);
        }}
      />
      <p role="status">{replaced ? words.replaces : ""}</p>
      {upload.error && <Failure error={upload.error} />}
      <details>
        <summary>{parts.asCommand}</summary>
        <CodeLine text={`learning-credentials asset upload ${slug || "…"} ${file ? "<file>" : "…"}`} />
      </details>
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={!file || slug === "" || upload.isPending}
          onPress={() => file && upload.mutate(file)}
        >
          {upload.isPending ? parts.working : words.uploadNow}
        </Button>
      </div>
    </Dialog>
  );
}
