import type { BadgePicture } from "#formats/badges/badge-picture.js";
import { badgeColor } from "#foundation/color/badge-color.js";
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
  return { shape, color: badgeColor(options.accent_color) };
}

/** The content at this address never changes. */
export function badgePictureUrl(publicUrl: string, { shape, color }: BadgePicture): string {
  return `${publicUrl}${BADGE_PICTURES}${shape}-${color}.png`;
}
