import jsqr from "jsqr";

// The package's types declare a default export, but in Node it is a CommonJS function.
const scan = jsqr as unknown as typeof jsqr.default;

/** Reads the QR code in a picture as a camera would. @returns its text */
export function scanQr(picture: {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}): string | undefined {
  return scan(picture.data, picture.width, picture.height)?.data;
}
