import { useState } from "react";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { ShownOnce } from "../components/shown-once.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";
import { RightsFields, UsernameField, useRights } from "./rights-fields.js";

/** Creates a sign-in link, and shows the link once. */
export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const { access: words } = useChapter("administration");
  const [username, setUsername] = useState("");
  const rights = useRights({ roles: ["viewer", "registrar"] });
  const make = useChange(AdministrationService.method.createSignInLink, undefined, { gcTime: 0 });
  if (make.data)
    return (
      <ShownOnce title={words.shown} means={words.shownMeans} secret={make.data.url} onClose={onClose} />
    );

  const name = username.trim();
  const request = { username: name, ...rights.request };
  const command = [
    "console",
    ...rights.roles.flatMap((role) => ["--role", role]),
    ...request.organisations.flatMap((each) => ["--organisation", each]),
    "--",
    name || "…",
  ];
  return (
    <Dialog title={words.link} onClose={onClose}>
      <p>{words.linkMeans}</p>
      <UsernameField help={words.usernameMeans} value={username} onType={setUsername} />
      <RightsFields of={rights} />
      <DialogEnd change={make} request={request} label={words.make} commands={[command]} onClose={onClose} />
    </Dialog>
  );
}
