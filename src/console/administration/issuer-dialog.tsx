import { useState } from "react";
import { MAX_ISSUER_DESCRIPTION, MAX_NAME, MAX_ORGANISATION, MAX_URL } from "#foundation/limits.js";
import {
  AdministrationService,
  type IssuerSettings,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { CheckField, TextField } from "../components/fields.js";
import { filledIn } from "../components/isolated.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";

/** Environment variables that set the values of the service's own issuer. */
const variableOf = {
  name: "PLATFORM_NAME",
  url: "ISSUER_URL",
  description: "ISSUER_DESCRIPTION",
  image: "ISSUER_IMAGE",
} as const;

type Profile = Readonly<Record<keyof typeof variableOf, string>>;

export function IssuerDialog({
  organisation,
  issuer,
  onClose,
}: {
  /** Empty for the service itself; undefined if the user has to enter the organisation. */
  readonly organisation: string | undefined;
  /** The current or former issuer; undefined to set up a new one. */
  readonly issuer: IssuerSettings | undefined;
  readonly onClose: () => void;
}) {
  const { access } = useChapter("administration");
  const words = useChapter("organisations");
  const [entered, setEntered] = useState("");
  const [texts, setTexts] = useState<Profile>({
    name: issuer?.name ?? "",
    url: issuer?.url ?? "",
    description: issuer?.description ?? "",
    image: issuer?.image ?? "",
  });
  const [replacesKeys, setReplacesKeys] = useState(false);
  const isService = organisation === "";
  const change = useChange(AdministrationService.method.setIssuer, () => {
    // The page shows the service's old name until it is reloaded.
    if (isService && texts.name.trim() !== issuer?.name) location.reload();
    else onClose();
  });
  const chosen = organisation ?? entered.trim();
  return (
    <Dialog title={issuer ? words.changeIssuer : words.setUpIssuer} onClose={onClose}>
      <DialogForm
        change={change}
        request={{
          organisation: chosen,
          name: texts.name.trim(),
          url: texts.url.trim(),
          description: texts.description.trim(),
          image: texts.image.trim(),
          replacesKeys,
          etag: issuer?.etag ?? "",
        }}
        label={words.save}
        onClose={onClose}
      >
        {organisation === undefined ? (
          <TextField
            label={access.organisation}
            help={words.organisationMeans}
            field="organisation"
            required
            dir="ltr"
            maxLength={MAX_ORGANISATION}
            value={entered}
            onType={setEntered}
          />
        ) : (
          <p className="lead">
            <bdi>{organisation || access.theService}</bdi>
          </p>
        )}
        <ProfileFields
          isService={isService}
          texts={texts}
          variables={issuer?.variables ?? []}
          onType={setTexts}
        />
        {!issuer && <p>{words.makesKeys}</p>}
        {issuer?.canReplaceKeys && (
          <CheckField
            label={words.newKeys}
            help={words.newKeysMean}
            checked={replacesKeys}
            onChoose={setReplacesKeys}
          />
        )}
        <p>{words.effect}</p>
      </DialogForm>
    </Dialog>
  );
}

function ProfileFields({
  isService,
  texts,
  variables,
  onType,
}: {
  readonly isService: boolean;
  readonly texts: Profile;
  /** Environment variables that override values of this form. */
  readonly variables: readonly string[];
  readonly onType: (texts: Profile) => void;
}) {
  const words = useChapter("organisations");
  const field = (key: keyof Profile, help?: string, label = words[key]) => {
    const variable = variables.find((each) => each === variableOf[key]);
    return (
      <TextField
        label={label}
        help={variable ? filledIn(words.given, { variable }) : help}
        field={key}
        required={key === "name"}
        dir={key === "description" || key === "name" ? "auto" : "ltr"}
        maxLength={{ name: MAX_NAME, description: MAX_ISSUER_DESCRIPTION, url: MAX_URL, image: MAX_URL }[key]}
        readOnly={variable !== undefined}
        value={texts[key]}
        onType={(text) => onType({ ...texts, [key]: text })}
      />
    );
  };
  return (
    <>
      {isService ? field("name", words.platformNameMeans, words.platformName) : field("name")}
      {field("url", words.urlMeans)}
      {field("description")}
      {field("image", words.imageMeans)}
    </>
  );
}
