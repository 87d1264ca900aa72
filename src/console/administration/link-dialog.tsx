import { useState } from "react";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog } from "../components/dialog.js";
import { DialogEnd } from "../components/dialog-end.js";
import { CheckField, TextField } from "../components/fields.js";
import { namesIn } from "../components/names-in.js";
import { ShownOnce } from "../components/shown-once.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";
import { allRoles, type RoleName, roleNames } from "./roles.js";

/** Makes a link that signs someone in, and shows it once. */
export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const { access: words } = useChapter("administration");
  const { parts } = useWords();
  const [username, setUsername] = useState("");
  const [roles, setRoles] = useState<readonly RoleName[]>(["viewer", "registrar"]);
  const [organisations, setOrganisations] = useState("");
  const make = useChange(AdministrationService.method.createSignInLink, undefined, { gcTime: 0 });
  if (make.data)
    return (
      <ShownOnce title={words.shown} means={words.shownMeans} secret={make.data.url} onClose={onClose} />
    );

  const name = username.trim();
  const request = {
    username: name,
    roles: roles.map((role) => roleNames[role]),
    organisations: namesIn(organisations),
  };
  const command = [
    "console",
    name || "…",
    ...roles.flatMap((role) => ["--role", role]),
    ...request.organisations.flatMap((each) => ["--organisation", each]),
  ];
  return (
    <Dialog title={words.link} onClose={onClose}>
      <p>{words.linkMeans}</p>
      <TextField
        label={words.username}
        field="username"
        help={words.usernameMeans}
        value={username}
        dir="auto"
        spellCheck={false}
        maxLength={255}
        autoFocus
        onType={setUsername}
      />
      <fieldset className="choice">
        <legend className="label">{words.roles}</legend>
        {allRoles.map((role) => (
          <CheckField
            key={role}
            label={parts.roles[role]}
            help={words.rolesMean[role]}
            checked={roles.includes(role)}
            onChoose={(isChosen) =>
              setRoles(allRoles.filter((each) => (each === role ? isChosen : roles.includes(each))))
            }
          />
        ))}
      </fieldset>
      <TextField
        label={words.organisations}
        field="organisations"
        help={words.organisationsMean}
        value={organisations}
        dir="auto"
        spellCheck={false}
        onType={setOrganisations}
      />
      <DialogEnd
        change={make}
        request={request}
        isReady={name !== "" && roles.length > 0}
        label={words.make}
        commands={[command]}
        onClose={onClose}
      />
    </Dialog>
  );
}
