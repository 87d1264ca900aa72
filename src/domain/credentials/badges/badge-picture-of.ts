import { type BadgePicture, DEFAULT_PICTURE } from "#formats/badges/badge-picture.js";
import { OPEN_BADGE, storedOpenBadge } from "../../configurations/open-badge-option.js";
import type { Credential } from "../credential.js";

/** Path of the route that serves the pictures of badges. */
const BADGE_PICTURES = "/badge-picture/";

/**
 * Returns the badge's picture, in the accent colour of the document. Returns `undefined` if the options set no shape.
 */
export function badgePictureOf({ options }: Pick<Credential, "options">): BadgePicture | undefined {
  const { shape } = storedOpenBadge(options[OPEN_BADGE]);
  if (shape === undefined) return undefined;
  const { accent_color: accent } = options;
  const digits = typeof accent === "string" ? /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(accent)?.[1] : undefined;
  const color = digits?.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  return { shape, color: color?.toLowerCase() ?? DEFAULT_PICTURE.color };
}

/** The content at this address never changes. */
export function badgePictureUrl(publicUrl: string, { shape, color }: BadgePicture): string {
  return `${publicUrl}${BADGE_PICTURES}${shape}-${color}.png`;
}
