import { pngPicture, svgPicture } from "#formats/badges/badge-picture.js";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import { escapeHtml } from "#foundation/text/escape-html.js";
import { plainLine } from "#foundation/text/plain-line.js";
import type { Credential } from "../credential.js";
import type { MakeBadge } from "./make-badge.js";

/** The formats in which a badge can be saved: JSON or JWT on its own, or JSON within a picture. */
export const badgeFileFormats = ["json", "jwt", "png", "svg"] as const;

export type BadgeFileFormat = (typeof badgeFileFormats)[number];

/** A badge as a file. */
export interface BadgeFile {
  readonly content: Buffer;
  readonly mediaType: string;
}

const mediaTypes: Record<BadgeFileFormat, string> = {
  json: "application/vc",
  // Open Badges prescribes text/plain; some verifiers refuse application/jwt.
  jwt: "text/plain",
  png: "image/png",
  svg: "image/svg+xml",
};

/** Creates a file with the Open Badge of a credential. Throws what `makeBadge` throws. */
export async function makeBadgeFile(
  makeBadge: MakeBadge,
  credential: Credential,
  format: BadgeFileFormat,
): Promise<BadgeFile> {
  const badge = await makeBadge(credential, format === "jwt" ? "jwt" : "json");
  return { content: contentOf(badge, credential, format), mediaType: mediaTypes[format] };
}

function contentOf(
  badge: string,
  { credentialType, learningContextName }: Credential,
  format: BadgeFileFormat,
): Buffer {
  if (format === "png") return bakePng(pngPicture(), badge);
  if (format !== "svg") return Buffer.from(badge);
  const title = escapeHtml(plainLine(`${credentialType}: ${learningContextName}`));
  return Buffer.from(bakeSvg(svgPicture(title), badge));
}
