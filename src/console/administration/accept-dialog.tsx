import { useState } from "react";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  type LtiAcceptance,
  type LtiPlatform,
  LtiRosterMode,
  LtiService,
} from "#gen/learning_credentials/v1/lti_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { CheckField, Options, SelectField, TextField } from "../components/fields.js";
import { namesIn } from "../components/names-in.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";

type Named = Readonly<Record<string, number>>;
const namesOf = <T extends Named>(values: T) => Object.keys(values) as (keyof T & string)[];
const nameOf = <T extends Named>(values: T, value: number | undefined) =>
  namesOf(values).find((name) => name !== "" && values[name] === value) ?? "";

const teacherRoles = {
  "": Role.UNSPECIFIED,
  viewer: Role.VIEWER,
  registrar: Role.REGISTRAR,
  designer: Role.DESIGNER,
};
const rosterModes = {
  "": LtiRosterMode.UNSPECIFIED,
  listed: LtiRosterMode.LISTED,
  whole: LtiRosterMode.COMPLETE,
};

type RosterMode = keyof typeof rosterModes;

/** Accepts a platform, or changes the settings of an accepted one. */
export function AcceptDialog({
  platform: { id, settings, acceptance },
  connectors,
  onClose,
}: {
  readonly platform: LtiPlatform;
  readonly connectors: readonly string[];
  readonly onClose: () => void;
}) {
  const { connections: words } = useChapter("administration");
  const { colon } = useFormats();
  const { parts } = useWords();
  const [organisations, setOrganisations] = useState(acceptance?.organisations.join(", ") ?? "");
  const [teacherRole, setTeacherRole] = useState(nameOf(teacherRoles, acceptance?.teacherRole));
  const [connector, setConnector] = useState(acceptance?.connector ?? "");
  const [wantedRosters, setRosters] = useState(nameOf(rosterModes, acceptance?.rosters));
  // If a connector is selected, the connector determines who is enrolled.
  const rosters = connector === "" ? wantedRosters : "";
  const [hasColumns, setColumns] = useState(acceptance?.hasColumns ?? false);
  const accept = useChange(LtiService.method.acceptLtiPlatform, onClose);
  const decided = {
    organisations: namesIn(organisations),
    teacherRole: teacherRoles[teacherRole],
    connector,
    rosters: rosterModes[rosters],
    hasColumns,
  };
  const command = acceptCommand(id, teacherRole, rosters, decided);
  return (
    <Dialog title={words.acceptNow} isAlert onClose={onClose}>
      <p>
        <code dir="ltr">{settings?.issuer}</code> · {words.clientId}
        {colon}
        <code dir="ltr">{settings?.clientId}</code>
      </p>
      <p>{words.acceptMeans}</p>
      <TextField
        label={words.organisations}
        field="organisations"
        help={words.organisationsMean}
        value={organisations}
        required={connector === ""}
        spellCheck={false}
        dir="auto"
        onType={setOrganisations}
      />
      <SelectField
        label={words.teachers}
        value={teacherRole}
        onChoose={(name) => setTeacherRole(name as typeof teacherRole)}
      >
        <Options
          of={namesOf(teacherRoles)}
          nameOf={(role) => (role === "" ? words.noRole : parts.roles[role])}
        />
      </SelectField>
      {connectors.length > 0 && (
        <SelectField field="connector" label={words.connector} value={connector} onChoose={setConnector}>
          <option value="">–</option>
          <Options of={connectors} />
        </SelectField>
      )}
      <RosterField value={rosters} hasConnector={connector !== ""} onChoose={setRosters} />
      <CheckField label={words.columns} checked={hasColumns} onChoose={setColumns} />
      <DialogEnd
        change={accept}
        request={{ id, acceptance: decided }}
        label={words.acceptNow}
        commands={[command]}
        onClose={onClose}
      />
    </Dialog>
  );
}

function RosterField({
  value,
  hasConnector,
  onChoose,
}: {
  readonly value: RosterMode;
  /** Whether a connector determines who is enrolled. */
  readonly hasConnector: boolean;
  readonly onChoose: (mode: RosterMode) => void;
}) {
  const { connections: words } = useChapter("administration");
  return (
    <SelectField label={words.rosters} value={value} onChoose={(name) => onChoose(name as RosterMode)}>
      <option value="">{words.rosterChoices.none}</option>
      {!hasConnector && (
        <>
          <option value="listed">{words.rosterChoices.listed}</option>
          <option value="whole">{words.rosterChoices.whole}</option>
        </>
      )}
    </SelectField>
  );
}

function acceptCommand(
  id: number,
  teacherRole: string,
  rosters: RosterMode,
  { organisations, connector, hasColumns }: Pick<LtiAcceptance, "organisations" | "connector" | "hasColumns">,
): string[] {
  return [
    "lti",
    "accept",
    String(id),
    ...["--teachers", teacherRole || "none"],
    ...organisations.flatMap((each) => ["--organisation", each]),
    ...(connector === "" ? ["--rosters", rosters || "none"] : ["--connector", connector]),
    ...(hasColumns ? ["--columns"] : []),
  ];
}
