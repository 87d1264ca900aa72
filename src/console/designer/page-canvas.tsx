import { useEffect, useRef, useState } from "react";

/** Sharper than this, a page costs more memory than eyes can tell. */
const MOST_PIXELS = 12_000_000;

/** A page drawn from the PDF itself. The one before stays in sight until it is whole. */
export function PageCanvas({
  pdf,
  label,
  zoom = 1,
}: {
  readonly pdf: Uint8Array;
  /** Empty: it is for eyes only. */
  readonly label: string;
  /** Drawn again when it changes. */
  readonly zoom?: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<Uint8Array>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another zoom is another width of the canvas
  useEffect(() => {
    let isWanted = true;
    async function draw() {
      const { openPdf } = await import("../components/open-pdf.js");
      if (!isWanted) return;
      const opened = await openPdf(pdf);
      try {
        const page = await opened.getPage(1);
        const seen = canvas.current;
        if (!isWanted || !seen) return;
        const natural = page.getViewport({ scale: 1 });
        const most = Math.sqrt(MOST_PIXELS / (natural.width * natural.height));
        const scale = Math.min(
          most,
          ((seen.clientWidth || natural.width) / natural.width) * devicePixelRatio,
        );
        const viewport = page.getViewport({ scale });
        const behind = document.createElement("canvas");
        behind.dir = "ltr"; // text drawn on it follows its direction
        behind.width = Math.round(viewport.width);
        behind.height = Math.round(viewport.height);
        await page.render({ canvas: behind, viewport }).promise;
        if (!isWanted) return;
        seen.width = behind.width;
        seen.height = behind.height;
        seen.getContext("2d")?.drawImage(behind, 0, 0);
        setDrawn(pdf);
      } finally {
        void opened.destroy();
      }
    }
    draw().catch(() => {}); // the next one is drawn, or the service says what is wrong
    return () => {
      isWanted = false;
    };
  }, [pdf, zoom]);

  return (
    <canvas
      ref={canvas}
      dir="ltr"
      data-drawn={drawn === pdf}
      {...(label === "" ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    />
  );
}
