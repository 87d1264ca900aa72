import { expect, test } from "vitest";
import { ADVANCED_OPTIONS, ALWAYS_SHOWN } from "#console/administration/shown-options.js";
import { needsDetail } from "#console/components/explain-error.js";
import { FIGURE_KINDS } from "#console/figures/days.js";
import { builtInConnectors } from "#domain/connectors/built-in-connectors.js";
import { optionsOf } from "#domain/connectors/driver/connector-options.js";
import { REASONS } from "#foundation/errors.js";
import { FiguresSchema } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { signInOptions } from "#runtime/settings/sign-in-setting.js";

const namesOf = (options: readonly { readonly name: string }[]) => options.map(({ name }) => name);

test.each<[what: string, listed: Iterable<string>, existing: readonly string[]]>([
  ["connectors' options that are always shown", ALWAYS_SHOWN, namesOf(builtInConnectors.flatMap(optionsOf))],
  ["advanced options of the sign-in", ADVANCED_OPTIONS, namesOf(signInOptions.options)],
  ["reasons that need the service's message", needsDetail, REASONS],
])("the console names only %s that exist", (_, listed, existing) => {
  expect(existing).toEqual(expect.arrayContaining([...listed]));
});

test("the console shows all figures", () => {
  expect([...FIGURE_KINDS].sort()).toEqual(FiguresSchema.fields.map(({ name }) => name).sort());
});
