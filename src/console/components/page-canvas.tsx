import { useEffect, useRef, useState } from "react";

/** Maximum number of pixels. More would use memory without a visible difference. */
const MAX_PIXELS = 12_000_000;

/** A page of a PDF. The previous page stays visible until the new one is drawn. */
export function PageCanvas({
  pdf,
  label,
  zoom = 1,
  isHeld = false,
  onDrawn,
}: {
  readonly pdf: Uint8Array;
  /** Empty if the page is decorative. */
  readonly label: string;
  readonly zoom?: number;
  /** Whether to wait before drawing, because something else is being drawn. */
  readonly isHeld?: boolean;
  /** Called when the page has been drawn or can't be drawn. */
  readonly onDrawn?: (pdf: Uint8Array) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<Uint8Array>();
  const last = useRef<{ readonly pdf: Uint8Array; readonly zoom: number }>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a different zoom means a different canvas width
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
      .then(done, done); // after a failure, the service has already reported the error, or the next preview is drawn
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
 * Draws the first page off-screen, and then copies it to a canvas in one step.
 * @param canvas returns the canvas; null if the page is no longer needed
 * @returns whether the page was drawn
 */
async function drawPage(pdf: Uint8Array, canvas: () => HTMLCanvasElement | null): Promise<boolean> {
  const { openPdf } = await import("./open-pdf.js");
  if (!canvas()) return false;
  const opened = await openPdf(pdf);
  try {
    const page = await opened.getPage(1);
    const seen = canvas();
    if (!seen) return false;
    const natural = page.getViewport({ scale: 1 });
    const most = Math.sqrt(MAX_PIXELS / (natural.width * natural.height));
    const scale = Math.min(most, ((seen.clientWidth || natural.width) / natural.width) * devicePixelRatio);
    const viewport = page.getViewport({ scale });
    const behind = document.createElement("canvas");
    behind.dir = "ltr"; // the direction of a canvas applies to text that is drawn on it
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
