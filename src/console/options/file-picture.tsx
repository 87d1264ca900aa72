import { useEffect, useRef, useState } from "react";
import { type Asset, AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { PageCanvas } from "../components/page-canvas.js";
import { useIsSeen } from "../components/use-is-seen.js";
import { formatOf, PICTURES } from "./file-formats.js";
import { useFileContent } from "./use-file-content.js";
import "./file-picture.css";

/** A small picture of a file. It is decorative, and loaded when it first comes into view. */
export function FilePicture({ asset }: { readonly asset: Asset }) {
  const place = useRef<HTMLSpanElement>(null);
  const content = useFileContent(asset, useIsSeen(place));
  const { kind } = asset;
  return (
    <span className="file-thumbnail" ref={place} aria-hidden="true">
      {kind === AssetKind.FONT && <FontSample bytes={content} />}
      {content && kind === AssetKind.PDF && <PageCanvas pdf={content} label="" />}
      {content && PICTURES.includes(kind) && (
        <BlobImage bytes={content} type={formatOf(kind).type} label="" />
      )}
    </span>
  );
}

/** Shows a picture as an image, which can't run scripts. */
export function BlobImage({
  bytes,
  type,
  label,
  className,
}: {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly label: string;
  readonly className?: string;
}) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes.slice()], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url ? <img className={className} src={url} alt={label} /> : null;
}

/** Shows two letters in an uploaded font. */
function FontSample({ bytes }: { readonly bytes: Uint8Array | undefined }) {
  const [family, setFamily] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const name = `sample-${crypto.getRandomValues(new Uint32Array(1))}`;
    const face = new FontFace(name, bytes.slice());
    document.fonts.add(face);
    face.load().then(
      () => setFamily(name),
      () => {}, // the letters keep the font of the page
    );
    return () => void document.fonts.delete(face);
  }, [bytes]);
  return <span style={{ fontFamily: family }}>Aa</span>;
}
