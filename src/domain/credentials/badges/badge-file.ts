import { pngPicture, svgPicture } from "#formats/badges/badge-picture.js";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import { escapeHtml } from "#foundation/text/escape-html.js";
import { plainLine } from "#foundation/text/plain-line.js";
import type { Credential } from "../credential.js";
import { badgePictureOf } from "./badge-picture-of.js";
import type { MakeBadge } from "./make-badge.js";

/** Formats in which a badge can be saved: signed JSON, a JWT, or a picture that contains the JSON. */
export const badgeFileFormats = ["json", "jwt", "png", "svg"] as const;

export type BadgeFileFormat = (typeof badgeFileFormats)[number];

export interface BadgeFile {
  readonly content: Buffer;
  readonly mediaType: string;
}

const mediaTypes: Record<BadgeFileFormat, string> = {
  json: "application/vc",
  // Open Badges prescribes text/plain. Some verifiers reject application/jwt.
  jwt: "text/plain",
  png: "image/png",
  svg: "image/svg+xml",
};

export async function makeBadgeFile(
  makeBadge: MakeBadge,
  credential: Credential,
  format: BadgeFileFormat,
): Promise<BadgeFile> {
  const badge = await makeBadge(credential, format === "jwt" ? "jwt" : "json");
  return { content: contentOf(badge, credential, format), mediaType: mediaTypes[format] };
}

function contentOf(badge: string, credential: Credential, format: BadgeFileFormat): Buffer {
  const picture = badgePictureOf(credential);
  if (format === "png") return bakePng(pngPicture(picture), badge);
  if (format !== "svg") return Buffer.from(badge);
  const title = escapeHtml(plainLine(`${credential.credentialType}: ${credential.learningContextName}`));
  return Buffer.from(bakeSvg(svgPicture(title, picture), badge));
}
