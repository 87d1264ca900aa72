import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { EXPIRY_WARNING_DAYS } from "#foundation/calendar/expiry-warning-days.js";
import {
  AdministrationService,
  type IssuerSettings,
  type Organisation,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { filledIn } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { LinkButton } from "../components/link-button.js";
import { PagedTable } from "../components/paged-table.js";
import { useChapter, useFormats } from "../i18n/words.js";

const IssuerDialog = lazily(() => import("./issuer-dialog.js"), "IssuerDialog");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");

const DAY_MS = 86_400_000;

interface Doing {
  readonly action: "change" | "remove";
  /** Empty for the service itself; undefined if the user has to enter the organisation. */
  readonly organisation: string | undefined;
  /** undefined to set up a new issuer. */
  readonly issuer: IssuerSettings | undefined;
}

export function Organisations() {
  const { access } = useChapter("administration");
  const words = useChapter("organisations");
  const { brandOf } = useChapter("files");
  const found = useQuery(AdministrationService.method.listOrganisations, {});
  const [doing, setDoing] = useState<Doing>();
  const obstacle = found.data?.issuerObstacle ?? "";
  const { defaultIssuer } = found.data ?? {};
  return (
    <>
      <p className="intro">{words.means}</p>
      <div className="actions">
        <LinkButton to="/types/branding">{brandOf}</LinkButton>
      </div>
      {obstacle !== "" && (
        <p className="notice notice-warn" lang="en" dir="ltr">
          {obstacle}
        </p>
      )}
      <div className="page-head">
        <h2>{words.title}</h2>
        <Button
          variant="primary"
          isDisabled={obstacle !== ""}
          onPress={() => setDoing({ action: "change", organisation: undefined, issuer: undefined })}
        >
          {words.add}
        </Button>
      </div>
      <PagedTable
        of={found}
        rows={found.data && [...found.data.organisations, undefined]}
        none={null}
        caption={words.title}
        headings={[
          access.organisation,
          { amount: access.courses },
          access.issuer,
          { amount: access.keys },
          access.seal,
          access.look,
          words.actions,
        ]}
      >
        {(each) =>
          each ? (
            <OrganisationRow
              key={each.organisation}
              of={each}
              isObstructed={obstacle !== ""}
              onDo={(action) =>
                setDoing({
                  action,
                  organisation: each.organisation,
                  issuer: each.issuer ?? each.formerIssuer,
                })
              }
            />
          ) : (
            <ServiceRow
              key=""
              issuer={defaultIssuer}
              onDo={(action) => setDoing({ action, organisation: "", issuer: defaultIssuer })}
            />
          )
        }
      </PagedTable>
      {doing && <IssuerActionDialog of={doing} onClose={() => setDoing(undefined)} />}
    </>
  );
}

function IssuerActionDialog({
  of: { action, organisation, issuer },
  onClose,
}: {
  readonly of: Doing;
  readonly onClose: () => void;
}) {
  const { access } = useChapter("administration");
  const words = useChapter("organisations");
  if (action === "change")
    return <IssuerDialog organisation={organisation} issuer={issuer} onClose={onClose} />;
  return (
    <RemovalDialog
      label={words.removeNow}
      what={organisation || access.theService}
      means={organisation === "" ? words.resetMeans : words.removeMeans}
      method={AdministrationService.method.deleteIssuer}
      request={{ organisation: organisation ?? "", etag: issuer?.etag ?? "" }}
      onClose={onClose}
    />
  );
}

/** The service itself, which issues for organisations without an issuer of their own. */
function ServiceRow({
  issuer,
  onDo,
}: {
  readonly issuer: IssuerSettings | undefined;
  readonly onDo: (action: Doing["action"]) => void;
}) {
  const { access } = useChapter("administration");
  return (
    <tr>
      <th scope="row" className="main-cell">
        {access.theService}
      </th>
      <td className="amount" />
      <IssuerCells issuer={issuer} />
      <td />
      <td>
        <Actions name={access.theService} issuer={issuer} onDo={onDo} />
      </td>
    </tr>
  );
}

function OrganisationRow({
  of: { organisation, learningContextCount, issuer, formerIssuer, hasBrand },
  isObstructed,
  onDo,
}: {
  readonly of: Organisation;
  readonly isObstructed: boolean;
  readonly onDo: (action: Doing["action"]) => void;
}) {
  const { access } = useChapter("administration");
  const { number } = useFormats();
  return (
    <tr>
      <th scope="row" className="main-cell">
        <bdi>{organisation}</bdi>
      </th>
      <td className="amount" data-label={access.courses}>
        {number(learningContextCount)}
      </td>
      <IssuerCells issuer={issuer} former={formerIssuer} />
      <td data-label={access.look}>{hasBrand ? access.yes : access.no}</td>
      <td>
        <Actions name={organisation} issuer={issuer} isObstructed={isObstructed} onDo={onDo} />
      </td>
    </tr>
  );
}

function Actions({
  name,
  issuer,
  isObstructed = false,
  onDo,
}: {
  readonly name: string;
  readonly issuer: IssuerSettings | undefined;
  readonly isObstructed?: boolean;
  readonly onDo: (action: Doing["action"]) => void;
}) {
  const { connections } = useChapter("administration");
  const words = useChapter("organisations");
  if (issuer?.isInFile) return null;
  const label = issuer ? connections.change : words.setUp;
  return (
    <div className="actions">
      <Button aria-label={`${label} ${name}`} isDisabled={isObstructed} onPress={() => onDo("change")}>
        {label}
      </Button>
      {issuer?.isStored && (
        <Button aria-label={`${words.remove} ${name}`} onPress={() => onDo("remove")}>
          {words.remove}
        </Button>
      )}
    </div>
  );
}

function IssuerCells({
  issuer,
  former,
}: {
  /** undefined for the service itself. */
  readonly issuer: IssuerSettings | undefined;
  readonly former?: IssuerSettings | undefined;
}) {
  const { access } = useChapter("administration");
  const words = useChapter("organisations");
  const { number } = useFormats();
  const shown = issuer ?? former;
  return (
    <>
      <td data-label={access.issuer}>
        {issuer ? <bdi>{issuer.name}</bdi> : access.theService}
        {issuer && issuer.url !== "" && (
          <span className="second">
            <bdi dir="ltr">{issuer.url}</bdi>
          </span>
        )}
        {former && <span className="second">{filledIn(words.former, { name: former.name })}</span>}
        {issuer?.isInFile && (
          <span className="second">
            {words.inFile} {issuer.isStored && words.overrides}
          </span>
        )}
        {shown && shown.problem !== "" && (
          <span className="notice notice-warn" lang="en" dir="ltr">
            {shown.problem}
          </span>
        )}
      </td>
      <td className="amount" data-label={issuer && access.keys}>
        {issuer && number(issuer.keyCount)}
      </td>
      <td data-label={issuer && access.seal}>
        {issuer && (issuer.hasSeal ? access.yes : access.no)}
        {issuer?.sealExpireTime && <SealExpiry at={issuer.sealExpireTime} />}
      </td>
    </>
  );
}

/** Warns if the certificate of a seal has expired, or expires soon. */
function SealExpiry({ at }: { readonly at: Timestamp }) {
  const { access } = useChapter("administration");
  const { day } = useFormats();
  const remaining = timestampDate(at).getTime() - Date.now();
  const words = (remaining < 0 ? access.sealExpired : access.sealExpires)({ date: day(at) });
  if (remaining >= EXPIRY_WARNING_DAYS * DAY_MS) return <span className="second">{words}</span>;
  return <span className={remaining < 0 ? "notice notice-bad" : "notice notice-warn"}>{words}</span>;
}
