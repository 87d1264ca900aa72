import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import {
  AdministrationService,
  type Session,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { isolated } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { PagedTable } from "../components/paged-table.js";
import { useChapter, useFormats, useList, useWords } from "../i18n/words.js";
import { PersonCell } from "./person-cell.js";
import { shownRoles } from "./roles.js";

const LinkDialog = lazily(() => import("./link-dialog.js"), "LinkDialog");
const EndDialog = lazily(() => import("./end-dialog.js"), "EndDialog");

const REFRESH_MS = 30_000;

export function Access() {
  const { access: words } = useChapter("administration");
  const found = useQuery(AdministrationService.method.listSessions, {}, { refetchInterval: REFRESH_MS });
  const [isMaking, setMaking] = useState(false);
  const [ending, setEnding] = useState<Session>();
  return (
    <>
      <p className="intro">{words.means}</p>
      <div className="page-head">
        <h2>{words.sessions}</h2>
        <Button variant="primary" onPress={() => setMaking(true)}>
          {words.link}
        </Button>
      </div>
      <PagedTable
        of={found}
        rows={found.data?.sessions}
        none={null}
        caption={words.sessions}
        headings={[words.person, words.roles, words.scope, words.by, words.lastUse, words.ends, words.end]}
      >
        {(session) => <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />}
      </PagedTable>
      {isMaking && <LinkDialog onClose={() => setMaking(false)} />}
      {ending && <EndDialog session={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { access: words } = useChapter("administration");
  const { parts } = useWords();
  const { colon, moment } = useFormats();
  const list = useList();
  const { username, fullName, roles, isBounded, organisations, lastUseTime, expireTime } = session;
  return (
    <tr>
      <PersonCell of={session} isOwn={session.isOwn} />
      <td data-label={words.roles}>{list(shownRoles(roles).map((name) => parts.roles[name]))}</td>
      <td data-label={words.scope}>
        {isBounded ? list(organisations.map(isolated)) : words.allOrganisations}
      </td>
      <td data-label={words.by}>{session.isOfProvider ? words.byProvider : words.byLink}</td>
      <td className="moment" data-label={words.lastUse}>
        {lastUseTime && moment(lastUseTime)}
      </td>
      <td className="moment" data-label={words.ends}>
        {expireTime && moment(expireTime)}
      </td>
      <td>
        <Button aria-label={`${words.end}${colon}${fullName || username}`} onPress={onEnd}>
          {words.end}
        </Button>
      </td>
    </tr>
  );
}
