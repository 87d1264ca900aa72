import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId } from "react";
import { AssetKind, type Brand } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Failure } from "../../components/failure.js";
import { TextField } from "../../components/fields.js";
import { useChange } from "../../components/use-change.js";
import { useMay } from "../../components/use-may.js";
import { useChapter } from "../../i18n/words.js";
import { FileField } from "../../options/file-field.js";
import { settings } from "../../service/settings.js";
import { OrganisationEmails } from "./email-texts.js";
import { SaveActions } from "./save-actions.js";
import { useKeptEdits } from "./use-kept-edits.js";
import { VerificationPreview } from "./verification-preview.js";

/** Kinds of logos. SVG is excluded, because email programs don't show it. */
const LOGOS: readonly AssetKind[] = [AssetKind.PNG, AssetKind.JPEG];
const USUAL_ACCENT = "#1f5468";

/**
 * @param stored its newer versions replace only values that the user has not edited
 * @param shared the brand of the whole service; its values are used where this brand has none
 */
export function BrandForm({
  stored,
  shared,
}: {
  readonly stored: Brand;
  readonly shared: Brand | undefined;
}) {
  const words = useChapter("branding");
  const { name, optionNames } = useChapter("designing");
  const client = useQueryClient();
  const [edits, setEdits] = useKeptEdits<Partial<Brand>>(`brand ${stored.organisation}`, {});
  const brand = { ...stored, ...edits };
  const change = useChange(ConfigurationService.method.updateBrand, undefined, {
    onError: () => client.invalidateQueries(),
  });
  const why = useMay()("designer");
  const inherited = stored.organisation === "" ? undefined : shared;
  const isChanged = JSON.stringify(brand) !== JSON.stringify(stored);
  const edit = (changes: Partial<Brand>) => setEdits({ ...edits, ...changes });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (why !== undefined || !isChanged) return;
    change.mutate({ brand }, { onSuccess: () => setEdits((current) => withoutSent(current, edits)) });
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
          onType={(name) => edit({ name })}
        />
        <AccentField
          value={brand.accentColor}
          usual={inherited?.accentColor || USUAL_ACCENT}
          onType={(accentColor) => edit({ accentColor })}
        />
        <LogoField
          value={brand.logo}
          none={inherited?.logo ? words.asService : words.noLogo}
          isReadOnly={why !== undefined}
          onChoose={(logo) => edit({ logo })}
        />
        <TextField
          label={optionNames["issuer.contact"]}
          field="brand.contact"
          help={words.contactMeans}
          placeholder={inherited?.contact}
          value={brand.contact}
          onType={(contact) => edit({ contact })}
          dir="ltr"
        />
        <TextField
          label={optionNames["issuer.imprint"]}
          field="brand.imprint_url"
          help={words.imprintMeans}
          placeholder={inherited?.imprintUrl || "https://"}
          value={brand.imprintUrl}
          onType={(imprintUrl) => edit({ imprintUrl })}
          dir="ltr"
        />
        {change.error && <Failure error={change.error} />}
        <SaveActions
          why={why}
          isChanged={isChanged}
          isPending={change.isPending}
          isSaved={change.data?.etag === stored.etag}
          onDiscard={() => setEdits({})}
        />
      </form>
      <Previews brand={inherited ? inBrand(brand, inherited) : brand} />
    </div>
  );
}

function Previews({ brand }: { readonly brand: Brand }) {
  return (
    <div className="stack">
      <VerificationPreview brand={brand} />
      <OrganisationEmails brand={brand} />
    </div>
  );
}

/** Returns what the user has edited since a save was sent. */
function withoutSent(current: Partial<Brand>, sent: Partial<Brand>): Partial<Brand> {
  return Object.fromEntries(
    Object.entries(current).filter(([field, value]) => value !== sent[field as keyof Brand]),
  );
}

/** Fills the empty values of a brand with those of another brand. */
function inBrand(brand: Brand, shared: Brand): Brand {
  const own = Object.entries(brand).filter(([, value]) => value !== "");
  return { ...shared, ...Object.fromEntries(own) };
}

/** A colour, as text and as a colour picker. */
function AccentField({
  value,
  usual,
  onType,
}: {
  readonly value: string;
  /** The colour that applies if the field is empty. */
  readonly usual: string;
  readonly onType: (colour: string) => void;
}) {
  const words = useChapter("branding");
  return (
    <div className="brand-pair">
      <TextField
        label={words.accent}
        field="brand.accent_color"
        help={words.accentMeans}
        placeholder={usual}
        value={value}
        onType={onType}
        dir="ltr"
      />
      <TextField type="color" label={words.pickColour} value={value || usual} onType={onType} />
    </div>
  );
}

function LogoField({
  value,
  none,
  isReadOnly,
  onChoose,
}: {
  readonly value: string;
  /** Explains what is shown if the brand has no logo of its own. */
  readonly none: string;
  readonly isReadOnly: boolean;
  readonly onChoose: (slug: string) => void;
}) {
  const words = useChapter("branding");
  const { optionNames } = useChapter("designing");
  const id = useId();
  return (
    <div className="field">
      <label id={`${id}-label`} htmlFor={id}>
        {optionNames.logo}
      </label>
      <FileField
        id={id}
        label={optionNames.logo ?? ""}
        field="brand.logo"
        kinds={LOGOS}
        slug={value}
        none={none}
        isReadOnly={isReadOnly}
        described={`${id}-help`}
        onChoose={onChoose}
      />
      <p id={`${id}-help`} className="small faint">
        {words.logoMeans}
      </p>
    </div>
  );
}
