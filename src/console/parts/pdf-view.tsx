import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { useWords } from "../reader/words.js";

type Outcome = "loading" | "shown" | "failed";

/** Sharper than this, a page costs more memory than eyes can tell. */
const MAX_SCALE = 3;

/** The first page of a PDF, drawn from the file itself, so that it is what the holder gets. */
export function PdfView({
  load,
  identity,
  label,
}: {
  readonly load: () => Promise<Uint8Array>;
  /** Another identity is another file. */
  readonly identity: string;
  readonly label: string;
}) {
  const { parts } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [outcome, setOutcome] = useState<Outcome>("loading");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the file is read again only when it is another one
  useEffect(() => {
    let isWanted = true;
    let opened: PDFDocumentProxy | undefined;
    setOutcome("loading");
    async function show() {
      const [bytes, { openPdf }] = await Promise.all([load(), import("./open-pdf.js")]);
      opened = await openPdf(bytes);
      if (isWanted && canvas.current) await draw(opened, canvas.current);
      if (isWanted) setOutcome("shown");
    }
    show().catch(() => isWanted && setOutcome("failed"));
    return () => {
      isWanted = false;
      void opened?.destroy();
    };
  }, [identity]);

  return (
    <figure className="pdf" data-outcome={outcome} aria-busy={outcome === "loading"}>
      {/* Text drawn on a canvas follows the direction of its element. */}
      <canvas ref={canvas} dir="ltr" role="img" aria-label={label} />
      {outcome === "loading" && <p className="pdf-message">{parts.documentLoading}</p>}
      {outcome === "failed" && <p className="pdf-message">{parts.documentFailed}</p>}
    </figure>
  );
}

async function draw(pdf: PDFDocumentProxy, canvas: HTMLCanvasElement): Promise<void> {
  const page = await pdf.getPage(1);
  const natural = page.getViewport({ scale: 1 });
  const width = canvas.parentElement?.clientWidth || natural.width;
  const scale = Math.min(MAX_SCALE, (width / natural.width) * devicePixelRatio);
  const viewport = page.getViewport({ scale });
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
}
