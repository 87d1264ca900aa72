import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Brand, brandColumns, listBrands } from "#domain/brands/brand.js";
import type { Brands } from "#domain/brands/brands.js";
import { changeBrand, checkBrand } from "#domain/configurations/change-brand.js";
import { etagOfBrand } from "#domain/configurations/etag.js";
import { Problem, quoted, wrongField } from "#foundation/errors.js";
import { isOrganisation, ORGANISATION_RULE } from "#foundation/text/organisation.js";
import type { BrandSchema, Brand as Message } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { type Caller, organisationsOf } from "#infrastructure/identity/caller.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { checkPresent } from "../requests/check-request.js";
import { checkSlug } from "./asset-handlers.js";

export function brandHandlers(database: Database, brands: Brands) {
  return {
    async listBrands(_, { caller, signal }) {
      const own = organisationsOf(caller);
      const all = await inSnapshot(database, signal, listBrands);
      const seen = all.filter(
        ({ organisation }) => own === undefined || organisation === "" || own.includes(organisation),
      );
      return { brands: seen.map(presentBrand) };
    },

    async updateBrand(request, call) {
      const message = checkPresent("brand", request.brand);
      const { logo } = message;
      const organisation = parseOrganisation("brand.organisation", message.organisation);
      refuseForeignOrganisation("brand.organisation", organisation, call.caller);
      if (logo !== "") checkSlug(logo, "brand.logo");
      const stated = { ...parseBrand(message), etag: message.etag };
      const { before, after } = await changeBrand(database, stated, call.signal);
      call.changed(`brand:${organisation}`, before, after);
      await brands.refresh();
      return presentBrand(after);
    },
  } satisfies Partial<Handlers<typeof ConfigurationService>>;
}

/**
 * @param organisation empty for the whole service
 * @throws Problem `invalid` if the organisation's name is not valid
 */
export function parseOrganisation(field: string, organisation: string): string {
  if (organisation === "" || isOrganisation(organisation)) return organisation;
  throw wrongField(field, `is ${quoted(organisation)}; it must be ${ORGANISATION_RULE}`);
}

/** @throws Problem `not-found` if the caller is restricted to other organisations */
export function refuseForeignOrganisation(field: string, organisation: string, caller: Caller): void {
  const own = organisationsOf(caller);
  if (own !== undefined && !own.includes(organisation))
    throw new Problem("not-found", `${field} is not one of your organisations.`);
}

/** @throws Problem `invalid` that names the field */
export function parseBrand(message: Message): Brand {
  return checkBrand(brandColumns.pick(message));
}

function presentBrand(brand: Brand): MessageInitShape<typeof BrandSchema> {
  return { ...brandColumns.pick(brand), etag: etagOfBrand(brand) };
}
