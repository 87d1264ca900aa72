import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { type Brand, BrandSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Failure } from "../../components/failure.js";
import { Options, SelectField, TextField } from "../../components/fields.js";
import { PageTitle } from "../../components/page-title.js";
import { useCaller } from "../../components/use-may.js";
import { useChapter, useWords } from "../../i18n/words.js";
import { BrandForm } from "./brand-form.js";
import "./branding.css";

/** The choice that lets the user enter another organisation. No organisation can have this name. */
const OTHER_ORGANISATION = "+";

/** The branding of pages and emails, for the whole service and for organisations that have their own. */
export function BrandingPage() {
  const { shell } = useWords();
  const words = useChapter("branding");
  const caller = useCaller().data;
  const { data, error, refetch } = useQuery(ConfigurationService.method.listBrands, {});
  const [chosen, setChosen] = useState<string>();
  const [typed, setTyped] = useState("");
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data || !caller) return <section className="page" aria-busy="true" />;
  const brands = new Map(data.brands.map((brand) => [brand.organisation, brand]));
  const own = caller.isBounded ? caller.organisations : [...brands.keys()].filter((name) => name !== "");
  const shown = chosen ?? (caller.isBounded ? (own[0] ?? "") : "");
  const organisation = shown === OTHER_ORGANISATION ? typed.trim() : shown;
  const brand: Brand = brands.get(organisation) ?? create(BrandSchema, { organisation });
  return (
    <section className="page">
      <PageTitle title={shell.branding} />
      <p className="intro">{words.means}</p>
      <div className="brand-choice">
        <SelectField label={words.organisation} value={shown} onChoose={setChosen}>
          {!caller.isBounded && <option value="">{words.wholeService}</option>}
          <Options of={own} />
          {!caller.isBounded && <option value={OTHER_ORGANISATION}>{words.another}</option>}
        </SelectField>
        {shown === OTHER_ORGANISATION && (
          <TextField
            label={words.organisationCode}
            field="organisation"
            help={words.organisationCodeMeans}
            value={typed}
            onType={setTyped}
            dir="ltr"
          />
        )}
      </div>
      {(shown !== OTHER_ORGANISATION || organisation !== "") && (
        <BrandForm key={organisation} stored={brand} shared={brands.get("")} />
      )}
    </section>
  );
}
