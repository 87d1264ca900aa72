import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type DragEvent, type ReactNode, useState } from "react";
import { MAX_UPLOAD_MEGABYTES } from "#foundation/limits.js";
import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Failure } from "../components/failure.js";
import { filledIn } from "../components/isolated.js";
import { useChapter, useWords } from "../i18n/words.js";
import { uploadFile } from "../service/uploads.js";
import { UploadNote } from "./upload-note.js";
import { useAssets } from "./use-assets.js";
import "./files.css";

export function UploadArea({
  kinds,
  onUploaded,
  children,
}: {
  readonly kinds: readonly AssetKind[];
  readonly onUploaded: (slug: string, hasNotes: boolean) => void;
  readonly children: ReactNode;
}) {
  const { parts } = useWords();
  const words = useChapter("files");
  const client = useQueryClient();
  const assets = useAssets();
  const [isOver, setOver] = useState(false);
  /** Name or slug of a file that can't be used here because of its kind. */
  const [refused, setRefused] = useState<string>();
  const upload = useMutation({
    mutationFn: (file: File) => uploadFile(file, assets ?? []),
    onSuccess: ({ asset, change, isKnown }) => {
      if (kinds.includes(asset.kind)) onUploaded(asset.slug, change !== undefined || isKnown);
      else setRefused(asset.slug);
    },
    onSettled: () => client.invalidateQueries(),
  });
  const formats = formatsOf(kinds);
  function take(file: File | undefined) {
    if (!file || upload.isPending) return;
    upload.reset();
    setRefused(isPossibleKind(file, kinds) ? undefined : file.name);
    if (isPossibleKind(file, kinds)) upload.mutate(file);
  }
  /** Keeps the event from the page behind the dialog, which would receive the dropped file as well. */
  const drag = (isHere: boolean) => (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(isHere);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: people who can't drop a file can select it
    <div
      className="stack"
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        take(event.dataTransfer.files[0]);
      }}
    >
      <div className="file-drop" data-over={isOver} aria-busy={upload.isPending}>
        <label className="button button-plain">
          {upload.isPending ? parts.working : words.upload}
          <input
            type="file"
            className="away-from-view"
            accept={acceptedBy(kinds)}
            onChange={({ currentTarget }) => {
              take(currentTarget.files?.[0]);
              currentTarget.value = "";
            }}
          />
        </label>
        <p className="small faint">
          {words.dropHere} {filledIn(words.accepts, { formats, megabytes: MAX_UPLOAD_MEGABYTES })}
          {kinds.includes(AssetKind.JPEG) && ` ${words.scales}`}
        </p>
      </div>
      {upload.error && <Failure error={upload.error} />}
      {refused !== undefined && (
        <p role="alert" className="fault">
          {filledIn(words.unsuitable, { name: refused, formats })}
        </p>
      )}
      {upload.data && refused === undefined && <UploadNote of={upload.data} />}
      {children}
    </div>
  );
}

/**
 * Returns the types of files that users can select. A picture in another format is converted if the browser can read
 * it.
 */
function acceptedBy(kinds: readonly AssetKind[]): string {
  return [
    ...(kinds.includes(AssetKind.JPEG) ? ["image/*"] : []),
    ...(kinds.includes(AssetKind.PDF) ? [".pdf"] : []),
    ...(kinds.includes(AssetKind.FONT) ? [".ttf", ".otf"] : []),
  ].join();
}

/**
 * Returns whether a file may be suitable according to its media type, which some systems don't know for fonts. The
 * service checks the content.
 */
function isPossibleKind({ type }: File, kinds: readonly AssetKind[]): boolean {
  if (type === "application/pdf") return kinds.includes(AssetKind.PDF);
  if (type === "image/svg+xml") return kinds.includes(AssetKind.SVG);
  if (type.startsWith("image/")) return kinds.includes(AssetKind.JPEG);
  return kinds.includes(AssetKind.FONT);
}

function formatsOf(kinds: readonly AssetKind[]): string {
  const names: readonly [AssetKind, string][] = [
    [AssetKind.PDF, "PDF"],
    [AssetKind.PNG, "PNG"],
    [AssetKind.JPEG, "JPEG"],
    [AssetKind.SVG, "SVG"],
    [AssetKind.FONT, "TrueType, OpenType"],
  ];
  return names.flatMap(([kind, name]) => (kinds.includes(kind) ? [name] : [])).join(", ");
}
