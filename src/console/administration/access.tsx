import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import {
  AdministrationService,
  type IssuerSettings,
  type Session,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { ListTable } from "../components/list-table.js";
import { PagedTable } from "../components/paged-table.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats, useWords } from "../i18n/words.js";
import { PersonCell } from "./person-cell.js";
import { shownRoles } from "./roles.js";

const LinkDialog = lazily(() => import("./link-dialog.js"), "LinkDialog");
const EndDialog = lazily(() => import("./end-dialog.js"), "EndDialog");

const REFRESH_MS = 30_000;

/** Shows who is signed in, and the existing organisations. */
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
      <Organisations />
      {isMaking && <LinkDialog onClose={() => setMaking(false)} />}
      {ending && <EndDialog session={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { access: words } = useChapter("administration");
  const { parts } = useWords();
  const { moment } = useFormats();
  const { username, fullName, roles, isBounded, organisations, lastUseTime, expireTime } = session;
  return (
    <tr>
      <PersonCell of={session} isOwn={session.isOwn} />
      <td data-label={words.roles}>
        {shownRoles(roles)
          .map((name) => parts.roles[name])
          .join(", ")}
      </td>
      <td data-label={words.scope}>
        {isBounded ? <bdi>{organisations.join(", ")}</bdi> : words.allOrganisations}
      </td>
      <td data-label={words.by}>{session.isOfProvider ? words.byProvider : words.byLink}</td>
      <td className="date" data-label={words.lastUse}>
        {lastUseTime && moment(lastUseTime)}
      </td>
      <td className="date" data-label={words.ends}>
        {expireTime && moment(expireTime)}
      </td>
      <td>
        <Button aria-label={`${words.end}: ${fullName || username}`} onPress={onEnd}>
          {words.end}
        </Button>
      </td>
    </tr>
  );
}

function Organisations() {
  const { access: words } = useChapter("administration");
  const { number } = useFormats();
  const { data, error, refetch } = useQuery(AdministrationService.method.listOrganisations, {});
  const yesNo = (is: boolean) => (is ? words.yes : words.no);
  return (
    <>
      <h2>{words.organisationList}</h2>
      <p className="intro">{words.organisationsAre}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <ListTable
          caption={words.organisationList}
          headings={[
            words.organisation,
            { amount: words.courses },
            words.issuer,
            { amount: words.keys },
            words.seal,
            words.look,
          ]}
        >
          {data.organisations.map(({ organisation, learningContextCount, issuer, hasBrand }) => (
            <tr key={organisation}>
              <th scope="row" className="main-cell">
                <bdi>{organisation}</bdi>
              </th>
              <td className="amount" data-label={words.courses}>
                {number(learningContextCount)}
              </td>
              <IssuerCells issuer={issuer} />
              <td data-label={words.look}>{yesNo(hasBrand)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" className="main-cell">
              {words.theService}
            </th>
            <td className="amount" />
            <IssuerCells issuer={data.defaultIssuer} />
            <td />
          </tr>
        </ListTable>
      )}
    </>
  );
}

function IssuerCells({ issuer }: { readonly issuer: IssuerSettings | undefined }) {
  const { access: words } = useChapter("administration");
  const { number } = useFormats();
  return (
    <>
      <td data-label={words.issuer}>
        {issuer ? <bdi>{issuer.name}</bdi> : words.theService}
        {issuer && issuer.url !== "" && (
          <span className="second" dir="ltr">
            {issuer.url}
          </span>
        )}
      </td>
      <td className="amount" data-label={issuer && words.keys}>
        {issuer && number(issuer.keyCount)}
      </td>
      <td data-label={issuer && words.seal}>{issuer && (issuer.hasSeal ? words.yes : words.no)}</td>
    </>
  );
}
