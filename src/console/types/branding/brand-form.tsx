import { type FormEvent, useState } from "react";
import { AssetKind, type Brand } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../../components/button.js";
import { Failure } from "../../components/failure.js";
import { SelectField, TextField } from "../../components/fields.js";
import { useChange } from "../../components/use-change.js";
import { useMay } from "../../components/use-may.js";
import { useChapter } from "../../i18n/chapter.js";
import { useAssets } from "../../options/use-assets.js";
import { settings } from "../../service/settings.js";
import { OrganisationEmails } from "./email-texts.js";

const USUAL_ACCENT = "#1f5468";

/** @param shared the brand of the whole service, whose values are used where this one has none */
export function BrandForm({
  stored,
  shared,
  isSaved,
  onSaved,
}: {
  readonly stored: Brand;
  readonly shared: Brand | undefined;
  /** Whether it was saved here. The stored brand then gets a new form, which says so. */
  readonly isSaved: boolean;
  readonly onSaved: (etag: string) => void;
}) {
  const words = useChapter("branding");
  const { name, optionNames, save: saveLabel } = useChapter("designing");
  const [brand, setBrand] = useState(stored);
  const assets = useAssets()?.filter(({ kind }) => kind === AssetKind.PNG || kind === AssetKind.JPEG);
  const change = useChange(ConfigurationService.method.updateBrand, ({ etag }) => onSaved(etag));
  const why = useMay()("designer");
  const inherited = stored.organisation === "" ? undefined : shared;
  const isChanged = JSON.stringify(brand) !== JSON.stringify(stored);
  const say = (said: Partial<Brand>) => setBrand({ ...brand, ...said });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (why === undefined && isChanged) change.mutate({ brand });
  };
  return (
    <div className="beside">
      <form className="card padded stack" onSubmit={save}>
        <TextField
          label={name}
          field="brand.name"
          help={words.nameMeans}
          placeholder={inherited?.name || settings.platformName}
          value={brand.name}
          onType={(name) => say({ name })}
        />
        <div className="brand-pair">
          <TextField
            label={words.accent}
            field="brand.accent_color"
            help={words.accentMeans}
            placeholder={inherited?.accentColor || USUAL_ACCENT}
            value={brand.accentColor}
            onType={(accentColor) => say({ accentColor })}
            dir="ltr"
          />
          <TextField
            type="color"
            label={words.pickColour}
            value={brand.accentColor || inherited?.accentColor || USUAL_ACCENT}
            onType={(accentColor) => say({ accentColor })}
          />
        </div>
        <SelectField
          label={optionNames.logo}
          field="brand.logo"
          help={words.logoMeans}
          value={brand.logo}
          onChoose={(logo) => say({ logo })}
        >
          <option value="">{inherited?.logo ? words.asService : words.noLogo}</option>
          {assets?.map(({ slug }) => (
            <option key={slug}>{slug}</option>
          ))}
        </SelectField>
        <TextField
          label={optionNames["issuer.contact"]}
          field="brand.contact"
          help={words.contactMeans}
          placeholder={inherited?.contact}
          value={brand.contact}
          onType={(contact) => say({ contact })}
          dir="ltr"
        />
        <TextField
          label={optionNames["issuer.imprint"]}
          field="brand.imprint_url"
          help={words.imprintMeans}
          placeholder={inherited?.imprintUrl || "https://"}
          value={brand.imprintUrl}
          onType={(imprintUrl) => say({ imprintUrl })}
          dir="ltr"
        />
        {change.error && <Failure error={change.error} />}
        <div className="actions">
          <Button type="submit" variant="primary" why={why} isDisabled={!isChanged || change.isPending}>
            {saveLabel}
          </Button>
          <p role="status" className="small">
            {isSaved && !isChanged ? words.saved : ""}
          </p>
        </div>
      </form>
      <OrganisationEmails brand={brand} />
    </div>
  );
}
