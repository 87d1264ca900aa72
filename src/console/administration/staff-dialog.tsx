import { useState } from "react";
import {
  AdministrationService,
  type StaffGrant,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { CheckField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";
import { RightsFields, UsernameField, useRights } from "./rights-fields.js";
import { allRoles, roleNames } from "./roles.js";

/** Grants roles to a person, or changes granted ones. */
export function StaffDialog({
  grant,
  isOwn,
  isLastAdmin,
  onClose,
}: {
  readonly grant: StaffGrant | undefined;
  readonly isOwn: boolean;
  readonly isLastAdmin: boolean;
  readonly onClose: () => void;
}) {
  const words = useChapter("staff");
  const [username, setUsername] = useState(grant?.username ?? "");
  const [givesUp, setGivesUp] = useState(false);
  const rights = useRights({
    roles: grant ? allRoles.filter((role) => grant.roles.includes(roleNames[role])) : ["viewer", "registrar"],
    organisations: grant?.organisations ?? [],
  });
  const change = useChange(AdministrationService.method.setStaffGrant, onClose);
  const name = username.trim();
  const staysAdmin = rights.roles.includes("admin") && rights.request.organisations.length === 0;
  const wasAdmin = grant?.roles.includes(roleNames.admin) && grant.organisations.length === 0;
  const isLosing = wasAdmin === true && !staysAdmin;
  return (
    <Dialog title={grant ? words.change : words.add} onClose={onClose}>
      <DialogForm
        change={change}
        request={{ username: name, ...rights.request, etag: grant?.etag ?? "" }}
        isReady={!isLosing || !isLastAdmin}
        label={grant ? words.save : words.grant}
        onClose={onClose}
      >
        {grant ? (
          <p className="lead">
            <bdi>{grant.fullName || grant.username}</bdi>
          </p>
        ) : (
          <>
            <p>{words.addMeans}</p>
            <UsernameField help={words.usernameMeans} value={username} onType={setUsername} />
          </>
        )}
        <RightsFields of={rights} />
        {isLosing && isLastAdmin && <p className="notice notice-warn">{words.lastAdmin}</p>}
        {isLosing && !isLastAdmin && isOwn && (
          <CheckField label={words.giveUp} checked={givesUp} required onChoose={setGivesUp} />
        )}
      </DialogForm>
    </Dialog>
  );
}
