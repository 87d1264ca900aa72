import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { useWords } from "../i18n/words.js";

type Outcome = "loading" | "shown" | "failed";

/** Maximum pixel density. A higher one would use memory without a visible difference. */
const MAX_SCALE = 3;
/** Minimum pixel density. With a lower one, small print looks grey when the page is printed or saved as a picture. */
const MIN_DENSITY = 2;

/** Draws the first page of a PDF from the file itself, so it looks the same as for the credential's holder. */
export function PdfView({
  load,
  identity,
  label,
}: {
  readonly load: () => Promise<Uint8Array>;
  /** Identifies the file. A change loads the file again. */
  readonly identity: string;
  readonly label: string;
}) {
  const { parts } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [outcome, setOutcome] = useState<Outcome>("loading");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the file is read again only if its identity changes
  useEffect(() => {
    let isWanted = true;
    let opened: Promise<PDFDocumentProxy> | undefined;
    setOutcome("loading");
    async function show() {
      const [bytes, { openPdf }] = await Promise.all([load(), import("./open-pdf.js")]);
      if (!isWanted) return;
      opened = openPdf(bytes);
      const pdf = await opened;
      if (isWanted && canvas.current) await draw(pdf, canvas.current);
      if (isWanted) setOutcome("shown");
    }
    show().catch(() => isWanted && setOutcome("failed"));
    return () => {
      isWanted = false;
      opened?.then((pdf) => pdf.destroy()).catch(() => {}); // a file that could not be opened needs no cleanup
    };
  }, [identity]);

  return (
    <figure className="pdf" data-outcome={outcome} aria-busy={outcome === "loading"}>
      {/* Each file has its own canvas, because drawing one file may overlap with drawing another. The direction
          of a canvas applies to its text. */}
      <canvas key={identity} ref={canvas} dir="ltr" role="img" aria-label={label} />
      {outcome === "loading" && <p className="pdf-message">{parts.documentLoading}</p>}
      {outcome === "failed" && <p className="pdf-message">{parts.documentFailed}</p>}
    </figure>
  );
}

async function draw(pdf: PDFDocumentProxy, canvas: HTMLCanvasElement): Promise<void> {
  const page = await pdf.getPage(1);
  const natural = page.getViewport({ scale: 1 });
  const width = canvas.parentElement?.clientWidth || natural.width;
  const scale = Math.min(MAX_SCALE, (width / natural.width) * Math.max(MIN_DENSITY, devicePixelRatio));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
}
