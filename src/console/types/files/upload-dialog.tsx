import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import { MAX_SLUG } from "#foundation/limits.js";
import type { Asset } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../../components/button.js";
import { CodeLine } from "../../components/code-line.js";
import { Dialog } from "../../components/dialog.js";
import { DoneDialog } from "../../components/done-dialog.js";
import { Failure } from "../../components/failure.js";
import { TextField } from "../../components/fields.js";
import { isFilledIn, useMissing } from "../../components/missing-field.js";
import { useChapter, useFormats, useWords } from "../../i18n/words.js";
import { UploadNote } from "../../options/upload-note.js";
import { useAssets } from "../../options/use-assets.js";
import { preparedFile } from "../../service/prepared-picture.js";
import { slugOf, type UploadedFile, uploadAsset } from "../../service/uploads.js";

/** A file and its slug, which options use to refer to it. */
interface Named {
  readonly file: File;
  readonly slug: string;
}

type Uploaded = Pick<UploadedFile, "asset" | "change">;

const named = (files: Iterable<File>): Named[] =>
  [...files].map((file) => ({ file, slug: slugOf(file.name) }));

export function UploadDialog({
  dropped,
  onClose,
}: {
  readonly dropped: readonly File[];
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const words = useChapter("files");
  const { optionNames } = useChapter("designing");
  const id = useId();
  const actions = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(() => named(dropped));
  const assets = useAssets();
  const replacedBy = ({ slug }: Named) => assets?.find((asset) => asset.slug === slug);
  const { done, ...upload } = useUpload(replacedBy, setChosen);
  const { fault, onInvalid } = useMissing(chosen.length === 0, "emptyChoice");
  if (upload.isSuccess) return <UploadedDialog files={done} onClose={onClose} />;
  const names = chosen.map(({ slug }) => slug);
  return (
    <Dialog title={words.upload} onClose={onClose}>
      <div className="field">
        <label htmlFor={`${id}-file`}>{optionNames["images.asset"]}</label>
        <input
          id={`${id}-file`}
          type="file"
          multiple
          accept="image/*,.pdf,.ttf,.otf"
          aria-describedby={fault ? `${id}-file-help ${id}-file-fault` : `${id}-file-help`}
          aria-invalid={fault ? true : undefined}
          required
          onInvalid={onInvalid}
          onChange={({ currentTarget: { files } }) => {
            upload.reset();
            setChosen(named(files ?? []));
          }}
        />
        <p id={`${id}-file-help`} className="small faint">
          {words.fileMeans}
        </p>
        {fault && <div id={`${id}-file-fault`}>{fault}</div>}
      </div>
      {chosen.map((each, index) => (
        <div key={each.file.name}>
          <SlugField
            of={each}
            isOnly={chosen.length === 1}
            isUsed={names.indexOf(each.slug) !== index}
            onType={(slug) => {
              upload.reset();
              setChosen(chosen.with(index, { ...each, slug }));
            }}
          />
          <p role="status">{replacedBy(each) ? words.replaces : ""}</p>
        </div>
      ))}
      {upload.error && <Failure error={upload.error} />}
      <AsCommands slugs={chosen.length === 0 ? ["…"] : names} />
      <div className="dialog-actions" ref={actions}>
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          variant="primary"
          isDisabled={upload.isPending}
          onPress={() => isFilledIn(actions.current) && upload.mutate(chosen)}
        >
          {upload.isPending ? parts.working : words.uploadNow}
        </Button>
      </div>
    </Dialog>
  );
}

/** Uploads files one after the other. If an upload fails, its file and all files after it stay selected. */
function useUpload(replacedBy: (named: Named) => Asset | undefined, onRest: (rest: Named[]) => void) {
  const client = useQueryClient();
  const [done, setDone] = useState<readonly Uploaded[]>([]);
  const upload = useMutation({
    async mutationFn(files: readonly Named[]) {
      for (const [index, each] of files.entries()) {
        const { file, change } = await preparedFile(each.file);
        const asset = await uploadAsset(each.slug, file, replacedBy(each)?.etag);
        setDone((before) => [...before, { asset, change }]);
        onRest(files.slice(index + 1));
      }
    },
    onSettled: () => client.invalidateQueries(), // even after an error, because someone else may have used the slug
  });
  return { ...upload, done };
}

function SlugField({
  of: { file, slug },
  isOnly,
  isUsed,
  onType,
}: {
  readonly of: Named;
  /** Whether there is only one file, whose name need not be shown. */
  readonly isOnly: boolean;
  /** Whether an earlier file has the same slug. */
  readonly isUsed: boolean;
  readonly onType: (slug: string) => void;
}) {
  const words = useChapter("files");
  const { colon } = useFormats();
  return (
    <TextField
      label={
        isOnly ? (
          words.slug
        ) : (
          <>
            {words.slug}
            {colon}
            <bdi>{file.name}</bdi>
          </>
        )
      }
      field="slug"
      help={words.slugMeans}
      dir="ltr"
      spellCheck={false}
      maxLength={MAX_SLUG}
      value={slug}
      required
      wrong={slug !== "" && isUsed ? words.sameSlug : undefined}
      onType={onType}
    />
  );
}

function AsCommands({ slugs }: { readonly slugs: readonly string[] }) {
  return (
    <details>
      <summary>{useWords().parts.asCommand}</summary>
      {slugs.map((slug, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal while they are typed
        <CodeLine key={index} text={`learning-credentials asset upload ${slug || "…"} <file>`} />
      ))}
    </details>
  );
}

function UploadedDialog({
  files,
  onClose,
}: {
  readonly files: readonly Uploaded[];
  readonly onClose: () => void;
}) {
  const { shell } = useWords();
  const words = useChapter("files");
  return (
    <DoneDialog
      title={words.uploaded}
      outcome={files.map((each) => (
        <div key={each.asset.slug}>
          <code dir="ltr">{each.asset.slug}</code>
          {each.change && <UploadNote of={each} />}
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
