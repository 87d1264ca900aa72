import type { EmailBranding } from "#infrastructure/email/messages/compose-message.js";
import type { Logo } from "#infrastructure/email/messages/message.js";
import type { Brand } from "../../brands/brand.js";
import type { Brands } from "../../brands/brands.js";
import { legibleAccent } from "../../brands/legible-accent.js";
import { organisationOf } from "../../learners/organisations.js";

/** Background colour for which the accent is made legible: mail programs have a white or a black one. */
const PAPER = "#ffffff";
const USUAL_ACCENT = "#1a56b0";

/** Returns the branding of emails about credentials of a learning context. */
export async function emailBranding(brands: Brands, learningContextKey: string): Promise<EmailBranding> {
  const brand = brands.of(organisationOf(learningContextKey));
  const logo = brand.logoSha256 === null ? undefined : await brands.logo(brand.logoSha256);
  return brandingOf(brand, logo && { kind: logo.kind === "png" ? "png" : "jpeg", bytes: logo.bytes });
}

export function brandingOf({ name, accentColor, contact, imprintUrl }: Brand, logo?: Logo): EmailBranding {
  return { name, accent: legibleAccent(accentColor || USUAL_ACCENT, PAPER), contact, imprintUrl, logo };
}
