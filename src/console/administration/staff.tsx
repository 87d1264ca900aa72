import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import {
  AdministrationService,
  type ListStaffGrantsResponse,
  type StaffGrant,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { ActorName } from "../components/actor-name.js";
import { Button } from "../components/button.js";
import { Empty } from "../components/empty.js";
import { Fact } from "../components/fact.js";
import { filledIn, isolated } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { ListTable } from "../components/list-table.js";
import { PagedTable } from "../components/paged-table.js";
import { useCaller } from "../components/use-may.js";
import { useChapter, useFormats, useList, useWords } from "../i18n/words.js";
import { PersonCell } from "./person-cell.js";
import { allRoles, shownRoles } from "./roles.js";

const StaffDialog = lazily(() => import("./staff-dialog.js"), "StaffDialog");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");

/** The open dialog. `change` without a grant adds another person. */
type Doing = { readonly action: "change" | "revoke"; readonly grant: StaffGrant | undefined };

/** People with roles. Administrators grant roles, or the identity provider assigns them. */
export function Staff() {
  const { access } = useChapter("administration");
  const words = useChapter("staff");
  const found = useQuery(AdministrationService.method.listStaffGrants, {});
  const [doing, setDoing] = useState<Doing>();
  const caller = useCaller().data?.username;
  const close = () => setDoing(undefined);
  const { grant } = doing ?? {};
  const isOwn = grant !== undefined && grant.username === caller;
  return (
    <>
      <p className="intro">{words.means}</p>
      {found.data?.hasProvider === false && <p className="notice notice-warn">{words.noProvider}</p>}
      <div className="page-head">
        <h2>{words.granted}</h2>
        <Button variant="primary" onPress={() => setDoing({ action: "change", grant: undefined })}>
          {words.add}
        </Button>
      </div>
      <PagedTable
        of={found}
        rows={found.data?.grants}
        none={<Empty title={words.none} means={words.noneMeans} />}
        caption={words.granted}
        headings={[access.person, access.roles, access.scope, words.signIn, words.grantedBy, words.actions]}
      >
        {(each) => (
          <GrantRow
            key={each.username}
            grant={each}
            isOwn={each.username === caller}
            isLastAdmin={isLastAdmin(each, found.data)}
            onDo={(action) => setDoing({ action, grant: each })}
          />
        )}
      </PagedTable>
      <h2>{words.roleList}</h2>
      <RoleMeanings />
      {found.data && <ProviderStaff rolesClaim={found.data.rolesClaim} />}
      {doing?.action === "change" && (
        <StaffDialog
          grant={grant}
          isOwn={isOwn}
          isLastAdmin={grant !== undefined && isLastAdmin(grant, found.data)}
          onClose={close}
        />
      )}
      {doing?.action === "revoke" && grant && (
        <RemovalDialog
          label={words.revokeNow}
          what={grant.fullName || grant.username}
          means={isOwn ? words.revokeOwn : words.revokeMeans}
          method={AdministrationService.method.deleteStaffGrant}
          request={{ username: grant.username, etag: grant.etag }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Returns whether this is the last grant of an administrator, which the service refuses to revoke. */
function isLastAdmin(grant: StaffGrant, list: ListStaffGrantsResponse | undefined): boolean {
  if (!list || list.providerAssignsRoles) return false;
  const [admin, another] = list.grants.filter(isAdminOfAll);
  return admin === grant && another === undefined;
}

function isAdminOfAll({ roles, organisations }: StaffGrant): boolean {
  return shownRoles(roles).includes("admin") && organisations.length === 0;
}

function GrantRow({
  grant,
  isOwn,
  isLastAdmin: isLast,
  onDo,
}: {
  readonly grant: StaffGrant;
  readonly isOwn: boolean;
  readonly isLastAdmin: boolean;
  readonly onDo: (action: Doing["action"]) => void;
}) {
  const { connections } = useChapter("administration");
  const words = useChapter("staff");
  const { moment } = useFormats();
  const { username, fullName, roles, organisations, isUsed, grantedBy, updateTime } = grant;
  const name = fullName || username;
  return (
    <tr>
      <PersonCell of={grant} isOwn={isOwn} />
      <RightsCells roles={roles} organisations={organisations} />
      <td data-label={words.signIn}>{isUsed ? words.used : words.unused}</td>
      <td data-label={words.grantedBy}>
        <ActorName of={grantedBy} />
        <span className="second">{updateTime && moment(updateTime)}</span>
      </td>
      <td>
        <div className="actions">
          <Button aria-label={`${connections.change} ${name}`} onPress={() => onDo("change")}>
            {connections.change}
          </Button>
          <Button
            aria-label={`${words.revoke} ${name}`}
            why={isLast ? words.lastAdmin : undefined}
            onPress={() => onDo("revoke")}
          >
            {words.revoke}
          </Button>
        </div>
      </td>
    </tr>
  );
}

function RightsCells({ roles, organisations }: Pick<StaffGrant, "roles" | "organisations">) {
  const { access } = useChapter("administration");
  const { parts } = useWords();
  const list = useList();
  return (
    <>
      <td data-label={access.roles}>{list(shownRoles(roles).map((role) => parts.roles[role]))}</td>
      <td data-label={access.scope}>
        {organisations.length > 0 ? list(organisations.map(isolated)) : access.allOrganisations}
      </td>
    </>
  );
}

function RoleMeanings() {
  const { access } = useChapter("administration");
  const { parts } = useWords();
  return (
    <dl className="facts">
      {allRoles.map((role) => (
        <Fact key={role} label={parts.roles[role]}>
          {access.rolesMean[role]}
        </Fact>
      ))}
    </dl>
  );
}

/**
 * Explains how the identity provider assigns roles, and lists the people who are signed in with such roles. The console
 * doesn't know who else has such a role.
 */
function ProviderStaff({ rolesClaim }: Pick<ListStaffGrantsResponse, "rolesClaim">) {
  const { access } = useChapter("administration");
  const words = useChapter("staff");
  const { data } = useQuery(AdministrationService.method.listSessions, {});
  const assigned = data?.sessions.filter(({ isOfProvider, isGranted }) => isOfProvider && !isGranted) ?? [];
  const people = [...new Map(assigned.map((session) => [session.username, session])).values()];
  return (
    <>
      <h2>{words.fromProvider}</h2>
      <p className="intro">
        {rolesClaim === "" ? words.byFlags : filledIn(words.byClaim, { claim: rolesClaim })} {words.overrides}
      </p>
      {data && people.length === 0 && <p className="faint">{words.nobodySignedIn}</p>}
      {people.length > 0 && (
        <ListTable caption={words.fromProvider} headings={[access.person, access.roles, access.scope]}>
          {people.map((session) => (
            <tr key={session.username}>
              <PersonCell of={session} isOwn={session.isOwn} />
              <RightsCells roles={session.roles} organisations={session.organisations} />
            </tr>
          ))}
        </ListTable>
      )}
    </>
  );
}
