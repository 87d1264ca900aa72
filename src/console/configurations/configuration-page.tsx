import { useQuery } from "@connectrpc/connect-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type {
  CredentialConfiguration,
  CredentialType,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { AsCode } from "../components/as-code.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { LinkButton } from "../components/link-button.js";
import { PageTitle } from "../components/page-title.js";
import { useMay } from "../components/use-may.js";
import { contextChoice } from "../contexts/context-choice.js";
import { Editor } from "../editing/editor.js";
import { useSave } from "../editing/use-save.js";
import type { Version } from "../editing/version.js";
import { useChapter, useWords } from "../i18n/words.js";
import { contextNameOf, titleOf } from "../offers/use-configurations.js";
import { optionsIn, optionsText } from "../options/read-options.js";
import { ClaimCard } from "./claim-card.js";
import { ScheduleCard } from "./schedule/schedule-card.js";

const OfferDialog = lazily(() => import("./offer-dialog.js"), "OfferDialog");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");

const Stack = lazily(() => import("../requirements/stack.js"), "Stack");

const { method } = ConfigurationService;

/** A credential type in one course or path, with its own options. */
export function ConfigurationPage() {
  const { shell, credentials } = useWords();
  const id = Number(useParams({ from: "/configurations/$id" }).id);
  const found = useQuery(method.getCredentialConfiguration, { id });
  const configuration = found.data;
  const typeId = configuration?.credentialTypeId;
  const type = useQuery(method.getCredentialType, { id: typeId ?? 0 }, { enabled: typeId !== undefined });
  const title = type.data?.name ?? credentials.configuration;
  return (
    <section className="page">
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
        {type.data && (
          <>
            {" · "}
            <Link to="/types/$id" params={{ id: String(type.data.id) }}>
              <bdi>{type.data.name}</bdi>
            </Link>
          </>
        )}
      </p>
      <div className="page-head">
        <div>
          <PageTitle title={title}>
            <bdi>{title}</bdi>
          </PageTitle>
          {configuration && (
            <p className="subtitle">
              <Link to="/credentials" search={{ configuration: String(id) }}>
                <bdi>{contextNameOf(configuration)}</bdi>
              </Link>
              <code dir="ltr">{configuration.learningContextKey}</code>
            </p>
          )}
        </div>
        {configuration && <Actions configuration={configuration} />}
      </div>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {type.error && <Failure error={type.error} onRetry={() => void type.refetch()} />}
      {configuration && type.data && (
        <ConfigurationEditor
          key={id}
          configuration={configuration}
          type={type.data}
          refresh={() => Promise.all([found.refetch(), type.refetch()])}
        />
      )}
    </section>
  );
}

function Actions({ configuration }: { readonly configuration: CredentialConfiguration }) {
  const { id, etag, credentialTypeId } = configuration;
  const words = useChapter("designing");
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<"elsewhere" | "stop">();
  const close = () => setOpenDialog(undefined);
  const { shell } = useWords();
  const may = useMay();
  const [whyNotIssue, whyNotDesign] = [may("registrar"), may("designer")];
  const search = { configuration: String(id) };
  return (
    <div className="actions">
      <LinkButton to="/runs/new" search={search} why={whyNotIssue}>
        {shell.startRun}
      </LinkButton>
      <LinkButton to="/issue-from-list" search={search} why={whyNotIssue}>
        {shell.issueFromList}
      </LinkButton>
      <Button why={whyNotDesign} onPress={() => setOpenDialog("elsewhere")}>
        {words.offerElsewhere}
      </Button>
      <Button className="button-warning" why={whyNotDesign} onPress={() => setOpenDialog("stop")}>
        {words.stopOffering}
      </Button>
      {openDialog === "elsewhere" && (
        <OfferDialog typeId={credentialTypeId} like={configuration} onClose={close} />
      )}
      {openDialog === "stop" && (
        <RemovalDialog
          label={words.stopOffering}
          what={titleOf(configuration)}
          means={words.stopOfferingMeans}
          method={method.deleteCredentialConfiguration}
          request={{ id, etag }}
          onRemoved={() =>
            navigate({
              to: "/types/$id",
              params: { id: String(credentialTypeId) },
              hash: "form", // where the type is still offered
              replace: true,
            })
          }
          onClose={close}
        />
      )}
    </div>
  );
}

function ConfigurationEditor({
  configuration,
  type,
  refresh,
}: {
  readonly configuration: CredentialConfiguration;
  readonly type: CredentialType;
  readonly refresh: () => Promise<unknown>;
}) {
  const { id } = configuration;
  const words = useChapter("designing");
  const why = useMay()("designer");
  const save = useSave(method.updateCredentialConfiguration, method.getCredentialConfiguration, id);
  const requestOf = (options: string, etag: string) => ({
    credentialConfiguration: { id, etag, customOptions: optionsIn(options) },
    updateMask: { paths: ["custom_options"] },
    // If the type has changed since the page was loaded, the service refuses to save.
    credentialTypeEtag: type.etag,
  });
  return (
    <>
      <Editor
        why={why}
        subject={{
          draftName: `configuration.${id}`,
          issued: { configuration: String(id) },
          revised: { case: "configurationId", value: id },
          learningContextKey: configuration.learningContextKey,
          tryIn: contextChoice(configuration.learningContextKey, configuration.learningContextName),
          offerIn: () => configuration,
          saved: versionOf(configuration),
          type,
          saveLabel: words.save,
          saveMeans: words.saveMeans,
          optionsLabel: words.ownOptions,
          optionsHelp: words.ownOptionsMean,
          previewOf: ({ options }, isStored) =>
            isStored
              ? { source: { case: "configurationId", value: id } }
              : { source: { case: "credentialType", value: type }, customOptions: optionsIn(options) },
          save: async ({ options }, etag) => versionOf(await save(requestOf(options, etag))),
          refresh,
          asCode: ({ options }, etag) => (
            <AsCode method={method.updateCredentialConfiguration} request={requestOf(options, etag)} />
          ),
        }}
      />
      <Stack
        typeId={type.id}
        configurationId={id}
        options={mergeOptions(type.customOptions ?? {}, configuration.customOptions ?? {})}
      />
      <ScheduleCard configuration={configuration} />
      <ClaimCard configuration={configuration} />
      <details className="card padded">
        <summary>{words.optionsOfType}</summary>
        <pre className="code-value" dir="ltr">
          {optionsText(type.customOptions)}
        </pre>
      </details>
    </>
  );
}

function versionOf({ etag, customOptions }: CredentialConfiguration): Version {
  return { etag, fields: { options: optionsText(customOptions) } };
}
