import { legibleAccent } from "#foundation/color/legible-accent.js";
import type { EmailBranding } from "#infrastructure/email/messages/compose-message.js";
import type { LoadedAsset } from "../../assets/asset.js";
import type { Brand } from "../../brands/brand.js";
import type { Brands } from "../../brands/brands.js";
import { organisationOf } from "../../learners/organisations.js";

/** Email programs show emails on white or black. The accent colour is made legible on white. */
const PAPER = "#ffffff";
const USUAL_ACCENT = "#1a56b0";

export async function emailBranding(brands: Brands, learningContextKey: string): Promise<EmailBranding> {
  const brand = brands.of(organisationOf(learningContextKey));
  return brandingOf(brand, brand.logoSha256 === null ? undefined : await brands.logo(brand.logoSha256));
}

export function brandingOf(
  { name, accentColor, contact, imprintUrl }: Omit<Brand, "logo">,
  logo: LoadedAsset | undefined,
): EmailBranding {
  const accent = legibleAccent(accentColor || USUAL_ACCENT, PAPER);
  return {
    name,
    accent,
    contact,
    imprintUrl,
    logo: logo && { kind: logo.kind === "png" ? "png" : "jpeg", bytes: logo.bytes },
  };
}
