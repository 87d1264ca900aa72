export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface PictureChange {
  /** undefined if the picture was not scaled. */
  readonly scaled: { readonly before: PixelSize; readonly after: PixelSize } | undefined;
  /** The new format, `JPEG` or `PNG`; undefined if the format is the same. */
  readonly format: string | undefined;
  /** Whether details that a camera had stored were removed. */
  readonly isCleaned: boolean;
}

interface PreparedFile {
  readonly file: Blob;
  /** undefined if the file is uploaded unchanged. */
  readonly change?: PictureChange;
}

/** The longer side of A4 at 300 dots per inch. A higher resolution would not be visible in print. */
const MAX_SIDE_PX = 3508;
/** The service refuses larger pictures with transparency, because each document contains all their pixels. */
const MAX_TRANSPARENT_PIXELS = 2_500_000;
/** Larger pictures without transparency are compressed as JPEG, because each document contains a copy. */
const MAX_BYTES = 5 * 1024 * 1024;
const JPEG_QUALITY = 0.9;

const PNG = "image/png";
const JPEG = "image/jpeg";

/**
 * Prepares a file for printing in documents. Large pictures are scaled down. JPEG files with Exif details, such as the
 * location, are turned upright and lose the details. Other formats that the browser can read are converted to JPEG or
 * PNG. All other files are returned unchanged, and the service reports what is wrong with them.
 */
export async function preparedFile(file: File): Promise<PreparedFile> {
  const isPicture = file.type.startsWith("image/") && file.type !== "image/svg+xml";
  const picture = isPicture ? await createImageBitmap(file).catch(() => undefined) : undefined;
  if (!picture) return { file };
  const before = { width: picture.width, height: picture.height };
  const isCleaned = file.type === JPEG && (await hasCameraDetails(file));
  const canvas = drawOnCanvas(
    picture,
    scaledSize(before, MAX_SIDE_PX / Math.max(before.width, before.height)),
  );
  picture.close();
  const isOpaque = file.type === JPEG || isCanvasOpaque(canvas);
  const most = isOpaque ? 1 : Math.sqrt(MAX_TRANSPARENT_PIXELS / (canvas.width * canvas.height));
  const sized = most < 1 ? drawOnCanvas(canvas, scaledSize(canvas, most)) : canvas;
  const after = { width: sized.width, height: sized.height };
  const isScaled = after.width < before.width || after.height < before.height;
  const isKept = file.type === PNG || file.type === JPEG;
  if (isKept && !isScaled && !isCleaned && file.size <= MAX_BYTES) return { file };
  const encoded = await encodedFrom(sized, file.type, isOpaque);
  return {
    file: encoded,
    change: {
      scaled: isScaled ? { before, after } : undefined,
      format: encoded.type === file.type ? undefined : encoded.type === PNG ? "PNG" : "JPEG",
      isCleaned,
    },
  };
}

function scaledSize({ width, height }: PixelSize, share: number): PixelSize {
  const scale = Math.min(1, share);
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
}

function drawOnCanvas(picture: CanvasImageSource, { width, height }: PixelSize): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = contextOf(canvas);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  return canvas;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("The browser has no memory for a picture of this size.");
  return context;
}

function isCanvasOpaque(canvas: HTMLCanvasElement): boolean {
  const { data } = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/**
 * Encodes photos as JPEG, and drawings as PNG. A drawing without transparency becomes a JPEG if its PNG is too large.
 */
async function encodedFrom(canvas: HTMLCanvasElement, type: string, isOpaque: boolean): Promise<Blob> {
  const isPhoto = type === JPEG || (type !== PNG && isOpaque);
  const encoded = await encode(canvas, isPhoto ? JPEG : PNG);
  return isOpaque && !isPhoto && encoded.size > MAX_BYTES ? encode(canvas, JPEG) : encoded;
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error("The browser could not save the picture."));
    canvas.toBlob(done, type, JPEG_QUALITY);
  });
}

/** Returns whether a JPEG contains Exif data. It describes how to turn the photo, and often where it was taken. */
async function hasCameraDetails(file: Blob): Promise<boolean> {
  const start = new TextDecoder("latin1").decode(await file.slice(0, 65_536).arrayBuffer());
  return start.includes("Exif\0\0");
}
