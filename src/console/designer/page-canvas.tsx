import { useEffect, useRef, useState } from "react";

/** Sharper than this, a page costs more memory than eyes can tell. */
const MOST_PIXELS = 12_000_000;

/** A page drawn from the PDF itself. The one before stays in sight until it is whole. */
export function PageCanvas({
  pdf,
  label,
  zoom = 1,
  isHeld = false,
  onDrawn,
}: {
  readonly pdf: Uint8Array;
  /** Empty: it is for eyes only. */
  readonly label: string;
  /** Drawn again when it changes. */
  readonly zoom?: number;
  /** Whether it waits, as something else is drawn first. */
  readonly isHeld?: boolean;
  /** Called once it is drawn, or can't be. */
  readonly onDrawn?: (pdf: Uint8Array) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<Uint8Array>();
  const last = useRef<{ readonly pdf: Uint8Array; readonly zoom: number }>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another zoom is another width of the canvas
  useEffect(() => {
    if (isHeld || (last.current?.pdf === pdf && last.current.zoom === zoom)) return;
    let isWanted = true;
    const done = () => {
      if (isWanted) onDrawn?.(pdf);
    };
    drawPage(pdf, () => (isWanted ? canvas.current : null))
      .then((isDrawn) => {
        if (!isDrawn || !isWanted) return;
        last.current = { pdf, zoom };
        setDrawn(pdf);
      })
      .then(done, done); // the next one is drawn, or the service says what is wrong
    return () => {
      isWanted = false;
    };
  }, [pdf, zoom, isHeld]);

  return (
    <canvas
      ref={canvas}
      dir="ltr"
      data-drawn={drawn === pdf}
      {...(label === "" ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    />
  );
}

/**
 * Draws the first page of a PDF behind the scenes, then puts it on a canvas in one step.
 * @param canvas the one to draw on; null once nobody wants it
 * @returns whether it was drawn
 */
async function drawPage(pdf: Uint8Array, canvas: () => HTMLCanvasElement | null): Promise<boolean> {
  const { openPdf } = await import("../components/open-pdf.js");
  if (!canvas()) return false;
  const opened = await openPdf(pdf);
  try {
    const page = await opened.getPage(1);
    const seen = canvas();
    if (!seen) return false;
    const natural = page.getViewport({ scale: 1 });
    const most = Math.sqrt(MOST_PIXELS / (natural.width * natural.height));
    const scale = Math.min(most, ((seen.clientWidth || natural.width) / natural.width) * devicePixelRatio);
    const viewport = page.getViewport({ scale });
    const behind = document.createElement("canvas");
    behind.dir = "ltr"; // text drawn on it follows its direction
    behind.width = Math.round(viewport.width);
    behind.height = Math.round(viewport.height);
    await page.render({ canvas: behind, viewport }).promise;
    const target = canvas();
    if (!target) return false;
    target.width = behind.width;
    target.height = behind.height;
    target.getContext("2d")?.drawImage(behind, 0, 0);
    return true;
  } finally {
    void opened.destroy();
  }
}
