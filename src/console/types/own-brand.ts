import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { GetCallerResponse } from "#gen/learning_credentials/v1/caller_service_pb.js";
import type { Brand } from "#gen/learning_credentials/v1/configuration_pb.js";

export type OwnBrand = Pick<Brand, "organisation" | "accentColor">;

/**
 * Returns the branding with the colour of the caller's institution; undefined if there is none. That is the caller's
 * organisation if they are restricted to one, then the whole service, then the only organisation with a colour.
 */
export function ownBrand(
  brands: readonly OwnBrand[],
  { isBounded, organisations }: Pick<GetCallerResponse, "isBounded" | "organisations">,
): OwnBrand | undefined {
  const coloured = brands.filter(({ accentColor }) => accentColor !== "");
  const colourOf = (name: string | undefined) => coloured.find(({ organisation }) => organisation === name);
  const own = isBounded && organisations.length === 1 ? colourOf(organisations[0]) : undefined;
  return own ?? colourOf("") ?? (coloured.length === 1 ? coloured[0] : undefined);
}

/**
 * Replaces a design's own colour. The service itself adds the colour of its branding; that of an organisation it adds
 * only where a type is offered, so that colour becomes an option of the type. Designs on dark paper then keep their own
 * colour, because that of an organisation is chosen for white.
 */
export function inColourOf(brand: OwnBrand | undefined, options: JsonObject): JsonObject {
  if (!brand) return options;
  const { accent_color: _, ...others } = options;
  if (brand.organisation === "") return others;
  return isDark(options.paper) ? options : { ...others, accent_color: brand.accentColor };
}

function isDark(paper: JsonValue | undefined): boolean {
  const channels = typeof paper === "string" ? paper.match(/[\da-f]{2}/gi) : null;
  return channels?.every((channel) => Number.parseInt(channel, 16) < 0x80) ?? false;
}
