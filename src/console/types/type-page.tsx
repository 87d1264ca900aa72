import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { CredentialType } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Editor } from "../editing/editor.js";
import { optionsText, readOptions } from "../editing/read-options.js";
import { useFunctions } from "../editing/use-functions.js";
import type { EditedFields } from "../editing/version.js";
import { designing } from "../languages/designing/designing.js";
import type { DesigningWording } from "../languages/designing/wording.js";
import { AsCode } from "../parts/as-code.js";
import { Failure } from "../parts/failure.js";
import { PageTitle } from "../parts/page-title.js";
import { useCaller, useMay } from "../parts/use-may.js";
import { useChapter } from "../reader/chapter.js";
import { useWords } from "../reader/words.js";
import { OfferedIn } from "./offered-in.js";

const { method } = ConfigurationService;

/** A credential type: what it asks for, how it looks, and where it is offered. */
export function TypePage() {
  const { shell } = useWords();
  const words = useChapter(designing);
  const id = Number(useParams({ from: "/types/$id" }).id);
  const found = useQuery(method.getCredentialType, { id });
  return (
    <section className="page" aria-busy={!words}>
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <PageTitle title={found.data?.name ?? shell.types}>
        {found.data && <bdi>{found.data.name}</bdi>}
      </PageTitle>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && words && (
        <>
          <TypeEditor key={id} type={found.data} refresh={found.refetch} words={words} />
          <OfferedIn typeId={id} words={words} />
        </>
      )}
    </section>
  );
}

function TypeEditor({
  type,
  refresh,
  words,
}: {
  readonly type: CredentialType;
  readonly refresh: () => Promise<unknown>;
  readonly words: DesigningWording;
}) {
  const { id } = type;
  const caller = useCaller().data;
  const may = useMay();
  const functions = useFunctions();
  const transport = useTransport();
  const client = useQueryClient();
  if (!caller) return null;
  const requestOf = (fields: EditedFields, etag: string) => ({
    credentialType: { ...typeOf(fields), id, etag },
    updateMask: { paths: ["*"] },
  });
  return (
    <Editor
      owner={caller.username}
      why={may("designer") ?? (caller.isBounded ? words.sharedByAll : undefined)}
      words={words}
      subject={{
        draftName: `type.${id}`,
        saved: { etag: type.etag, fields: fieldsOf(type) },
        fields: [
          { name: "name", label: words.name },
          { name: "retrievalFunc", label: words.eligibility, choices: functions.retrieval },
          { name: "generationFunc", label: words.design, choices: functions.generation },
        ],
        optionsLabel: words.options,
        functionsOf: functions.of,
        previewOf: (fields) => ({ source: { case: "credentialType", value: typeOf(fields) } }),
        async save(fields, etag) {
          const stored = await createClient(ConfigurationService, transport).updateCredentialType(
            requestOf(fields, etag),
          );
          const schema = method.getCredentialType;
          client.setQueryData(
            createConnectQueryKey({ schema, input: { id }, transport, cardinality: "finite" }),
            stored,
          );
          void client.invalidateQueries();
        },
        refresh,
        asCode: (fields, etag) => (
          <AsCode method={method.updateCredentialType} request={requestOf(fields, etag)} />
        ),
      }}
    />
  );
}

function fieldsOf({ name, retrievalFunc, generationFunc, customOptions }: CredentialType): EditedFields {
  return { name, retrievalFunc, generationFunc, options: optionsText(customOptions) };
}

function typeOf({ name = "", retrievalFunc = "", generationFunc = "", options }: EditedFields) {
  const read = readOptions(options);
  const customOptions = read.kind === "options" ? read.options : {};
  return { name, retrievalFunc, generationFunc, customOptions };
}
