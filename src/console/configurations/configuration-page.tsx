import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type {
  CredentialConfiguration,
  CredentialType,
} from "../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Editor } from "../editing/editor.js";
import { optionsText, readOptions } from "../editing/options/read-options.js";
import { useFunctions } from "../editing/use-functions.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { PageTitle } from "../parts/page-title.js";
import { useCaller, useMay } from "../parts/use-may.js";
import { useChapter } from "../reader/chapter.js";
import { useWords } from "../reader/words.js";
import { ScheduleCard } from "./schedule/schedule-card.js";

/** Dialogs are large, and come when they are opened. */
const StopOfferingDialog = lazy(async () => ({
  default: (await import("./stop-offering-dialog.js")).StopOfferingDialog,
}));

const { method } = ConfigurationService;

/** A type as one course or path offers it, with options of its own. */
export function ConfigurationPage() {
  const { shell, credentials } = useWords();
  const words = useChapter("designing");
  const id = Number(useParams({ from: "/configurations/$id" }).id);
  const found = useQuery(method.getCredentialConfiguration, { id });
  const configuration = found.data;
  const typeId = configuration?.credentialTypeId;
  const type = useQuery(method.getCredentialType, { id: typeId ?? 0 }, { enabled: typeId !== undefined });
  const title = type.data?.name ?? credentials.configuration;
  return (
    <section className="page" aria-busy={!words}>
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
                <code dir="ltr">{configuration.learningContextKey}</code>
              </Link>
            </p>
          )}
        </div>
        {configuration && words && <StopOffering configuration={configuration} words={words} />}
      </div>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {type.error && <Failure error={type.error} onRetry={() => void type.refetch()} />}
      {configuration && type.data && words && (
        <ConfigurationEditor
          key={id}
          configuration={configuration}
          type={type.data}
          refresh={found.refetch}
          words={words}
        />
      )}
    </section>
  );
}

function StopOffering({
  configuration,
  words,
}: {
  readonly configuration: CredentialConfiguration;
  readonly words: DesigningWording;
}) {
  const [isAsking, setAsking] = useState(false);
  const why = useMay()("designer");
  return (
    <div className="actions">
      <Button className="button-warning" why={why} onPress={() => setAsking(true)}>
        {words.stopOffering}
      </Button>
      <Suspense>
        {isAsking && (
          <StopOfferingDialog configuration={configuration} words={words} onClose={() => setAsking(false)} />
        )}
      </Suspense>
    </div>
  );
}

function ConfigurationEditor({
  configuration,
  type,
  refresh,
  words,
}: {
  readonly configuration: CredentialConfiguration;
  readonly type: CredentialType;
  readonly refresh: () => Promise<unknown>;
  readonly words: DesigningWording;
}) {
  const { id } = configuration;
  const caller = useCaller().data;
  const why = useMay()("designer");
  const functions = useFunctions();
  const transport = useTransport();
  const client = useQueryClient();
  if (!caller || functions.isPending) return null;
  const requestOf = (options: string, etag: string) => ({
    credentialConfiguration: { id, etag, customOptions: ownOptions(options) },
    updateMask: { paths: ["custom_options"] },
  });
  return (
    <>
      <Editor
        owner={caller.username}
        why={why}
        words={words}
        subject={{
          draftName: `configuration.${id}`,
          saved: { etag: configuration.etag, fields: { options: optionsText(configuration.customOptions) } },
          fields: [],
          saveLabel: words.save,
          saveMeans: words.saveMeans,
          optionsLabel: words.ownOptions,
          optionsHelp: words.ownOptionsMean,
          functionsOf: () => functions.of(type),
          previewOf: ({ options }, isStored) =>
            isStored
              ? { source: { case: "configurationId", value: id } }
              : { source: { case: "credentialType", value: type }, customOptions: ownOptions(options) },
          async save({ options }, etag) {
            const stored = await createClient(ConfigurationService, transport).updateCredentialConfiguration(
              requestOf(options, etag),
            );
            const schema = method.getCredentialConfiguration;
            client.setQueryData(
              createConnectQueryKey({ schema, input: { id }, transport, cardinality: "finite" }),
              stored,
            );
            void client.invalidateQueries();
          },
          refresh,
          asCode: ({ options }, etag) => (
            <AsCode method={method.updateCredentialConfiguration} request={requestOf(options, etag)} />
          ),
        }}
      />
      <ScheduleCard configuration={configuration} words={words} />
      <details className="card padded">
        <summary>{words.optionsOfType}</summary>
        <pre className="code-value" dir="ltr">
          {optionsText(type.customOptions)}
        </pre>
      </details>
    </>
  );
}

function ownOptions(text: string) {
  const read = readOptions(text);
  return read.kind === "options" ? read.options : {};
}
