import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { Button } from "../../components/button.js";
import { CodeLine } from "../../components/code-line.js";
import { Dialog } from "../../components/dialog.js";
import { DoneDialog } from "../../components/done-dialog.js";
import { Failure } from "../../components/failure.js";
import { TextField } from "../../components/fields.js";
import { useChapter } from "../../i18n/chapter.js";
import { useWords } from "../../i18n/words.js";
import { useAssets } from "../../options/use-assets.js";
import { MAX_SLUG, slugOf, uploadAsset } from "../../service/uploads.js";

/** A file, and the name that options will use for it. */
interface Named {
  readonly file: File;
  readonly slug: string;
}

const named = (files: Iterable<File>): Named[] =>
  [...files].map((file) => ({ file, slug: slugOf(file.name) }));

/** Dialog to upload files, each under the name that options will use for it, with notes about how to use them. */
export function UploadDialog({
  dropped,
  onClose,
}: {
  readonly dropped: readonly File[];
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const { files: words, optionNames } = useChapter("designing");
  const id = useId();
  const client = useQueryClient();
  const [chosen, setChosen] = useState(() => named(dropped));
  const [done, setDone] = useState<readonly string[]>([]);
  const assets = useAssets();
  const replacedBy = ({ slug }: Named) => assets?.find((asset) => asset.slug === slug);
  const upload = useMutation({
    async mutationFn(files: readonly Named[]) {
      for (const [index, each] of files.entries()) {
        await uploadAsset(each.slug, each.file, replacedBy(each)?.etag ?? "");
        setDone((before) => [...before, each.slug]);
        setChosen(files.slice(index + 1)); // the failed file stays in the list, with those after it
      }
    },
    onSettled: () => client.invalidateQueries(), // someone else may have uploaded a file of this name
  });
  if (upload.isSuccess) return <UploadedDialog slugs={done} onClose={onClose} />;
  const names = chosen.map(({ slug }) => slug);
  const areNamed = names.every((slug, index) => slug !== "" && names.indexOf(slug) === index);
  return (
    <Dialog title={words.upload} onClose={onClose}>
      <div className="field">
        <label htmlFor={`${id}-file`}>{optionNames["images.asset"]}</label>
        <input
          id={`${id}-file`}
          type="file"
          multiple
          accept=".pdf,.png,.jpg,.jpeg,.svg,.ttf,.otf"
          aria-describedby={`${id}-file-help`}
          onChange={({ currentTarget: { files } }) => {
            upload.reset();
            setChosen(named(files ?? []));
          }}
        />
        <p id={`${id}-file-help`} className="small faint">
          {words.fileMeans}
        </p>
      </div>
      {chosen.map((each, index) => (
        <div key={each.file.name}>
          <TextField
            label={
              chosen.length === 1 ? (
                words.slug
              ) : (
                <>
                  {words.slug}: <bdi>{each.file.name}</bdi>
                </>
              )
            }
            field="slug"
            help={words.slugMeans}
            dir="ltr"
            spellCheck={false}
            maxLength={MAX_SLUG}
            value={each.slug}
            onType={(slug) => {
              upload.reset();
              setChosen(chosen.with(index, { ...each, slug }));
            }}
          />
          <p role="status">{replacedBy(each) ? words.replaces : ""}</p>
        </div>
      ))}
      {upload.error && <Failure error={upload.error} />}
      <details>
        <summary>{parts.asCommand}</summary>
        {(chosen.length === 0 ? ["…"] : names).map((slug, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal while they are typed
          <CodeLine key={index} text={`learning-credentials asset upload ${slug || "…"} <file>`} />
        ))}
      </details>
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          variant="primary"
          isDisabled={chosen.length === 0 || !areNamed || upload.isPending}
          onPress={() => upload.mutate(chosen)}
        >
          {upload.isPending ? parts.working : words.uploadNow}
        </Button>
      </div>
    </Dialog>
  );
}

function UploadedDialog({
  slugs,
  onClose,
}: {
  readonly slugs: readonly string[];
  readonly onClose: () => void;
}) {
  const { shell } = useWords();
  const { files: words } = useChapter("designing");
  return (
    <DoneDialog
      title={words.uploaded}
      outcome={slugs.map((slug) => (
        <div key={slug}>
          <code dir="ltr">{slug}</code>
        </div>
      ))}
      onClose={onClose}
    >
      <p>{words.next}</p>
      <p className="subtitle">
        <Link to="/types">{shell.types}</Link>
        <Link to="/types/branding">{words.brandOf}</Link>
      </p>
    </DoneDialog>
  );
}
