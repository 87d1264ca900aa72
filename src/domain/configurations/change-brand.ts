import { failedPrecondition, invalidField, quoted, wrongField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { httpsUrl } from "#foundation/text/https-url.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { isPlainAddress } from "#infrastructure/email/mailbox.js";
import {
  type Brand,
  countBrands,
  deleteBrand,
  lockBrand,
  logoReference,
  MAX_LOGO_BYTES,
  putBrand,
  storeLogo,
} from "../brands/brand.js";
import { resolveAssets } from "./asset-references.js";
import { type Expectation, etagOfBrand, refuseOutdated } from "./etag.js";

/** Maximum number of brands, because all brands are listed and cached together. */
const MAX_BRANDS = 1000;

/**
 * Replaces an organisation's brand. A brand in which all values are empty is deleted.
 * @throws Problem `invalid` naming the field; `aborted` if the etag does not match; `failed-precondition` if there are
 * too many brands
 */
export function changeBrand(
  database: Database,
  { etag = "", ...brand }: Brand & Expectation,
  signal: AbortSignal,
): Promise<{ readonly before: Brand | undefined; readonly after: Brand }> {
  return inTransaction(database, signal, async (transaction) => {
    const stored = await lockBrand(transaction, brand.organisation);
    refuseOutdated(
      etag,
      stored && etagOfBrand(stored),
      `The brand of ${brand.organisation || "the service"}`,
    );
    if (brand.logo !== "") {
      const logo = (await resolveAssets(transaction, [logoReference(brand.logo)], "brand")).get(brand.logo);
      if (logo && logo.size > MAX_LOGO_BYTES)
        throw invalidField(
          "brand.logo",
          `brand.logo: ${quoted(brand.logo)} has ${logo.size} bytes; at most ${MAX_LOGO_BYTES} are accepted: make it smaller.`,
        );
    }
    const { organisation, ...values } = brand;
    if (Object.values(values).every((text) => text === "")) {
      await deleteBrand(transaction, organisation);
      return { before: stored, after: brand };
    }
    if (!stored && (await countBrands(transaction)) >= MAX_BRANDS)
      throw failedPrecondition(
        `${MAX_BRANDS} organisations have their own branding, which is the maximum: remove one by sending it with empty fields.`,
      );
    await putBrand(transaction, brand);
    if (brand.logo !== "") await storeLogo(transaction, brand.logo);
    return { before: stored, after: brand };
  });
}

/** @throws Problem `invalid` naming the field */
export function checkBrand({ accentColor, contact, imprintUrl, ...brand }: Brand): Brand {
  if (!/^(?:#[0-9a-f]{6})?$/i.test(accentColor))
    throw wrongField("brand.accent_color", `is ${quoted(accentColor)}; it must be a colour such as #1f5468.`);
  checkText("brand.name", brand.name, { min: 0, max: MAX_NAME });
  if (contact !== "" && !isPlainAddress(contact)) checkUrl("brand.contact", contact, "an email address, or ");
  if (imprintUrl !== "") checkUrl("brand.imprint_url", imprintUrl);
  return { ...brand, accentColor: accentColor.toLowerCase(), contact, imprintUrl };
}

function checkUrl(field: string, url: string, or = ""): void {
  if (!httpsUrl.safeParse(url).success)
    throw wrongField(
      field,
      `is ${quoted(url)}; it must be ${or}a URL with https:// in plain ASCII, without a user name, with at most 500 characters.`,
    );
}
