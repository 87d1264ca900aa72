import { useState } from "react";
import { MAX_NAME } from "#foundation/limits.js";
import { CheckField, TextField } from "../components/fields.js";
import { namesIn } from "../components/names-in.js";
import { useChapter, useWords } from "../i18n/words.js";
import { allRoles, type RoleName, roleNames } from "./roles.js";

export function useRights(before: {
  readonly roles: readonly RoleName[];
  readonly organisations?: readonly string[];
}) {
  const [roles, setRoles] = useState(before.roles);
  const [organisations, setOrganisations] = useState((before.organisations ?? []).join(", "));
  return {
    roles,
    setRoles,
    organisations,
    setOrganisations,
    request: { roles: roles.map((role) => roleNames[role]), organisations: namesIn(organisations) },
  };
}

export function RightsFields({
  of: { roles, setRoles, organisations, setOrganisations },
}: {
  readonly of: ReturnType<typeof useRights>;
}) {
  const { access: words } = useChapter("administration");
  const { parts } = useWords();
  return (
    <>
      <fieldset className="choice">
        <legend className="label">{words.roles}</legend>
        {allRoles.map((role, index) => (
          <CheckField
            key={role}
            isGroup
            required={index === 0 && roles.length === 0}
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
    </>
  );
}

/** The field gets the focus when its dialog opens. */
export function UsernameField({
  help,
  value,
  onType,
}: {
  readonly help: string;
  readonly value: string;
  readonly onType: (username: string) => void;
}) {
  const { access: words } = useChapter("administration");
  return (
    <TextField
      label={words.username}
      field="username"
      help={help}
      value={value}
      dir="auto"
      spellCheck={false}
      maxLength={MAX_NAME}
      required
      autoFocus
      onType={onType}
    />
  );
}
