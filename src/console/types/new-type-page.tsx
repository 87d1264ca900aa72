import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Editor } from "../editing/editor.js";
import { useFunctions } from "../editing/use-functions.js";
import type { EditedFields } from "../editing/version.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { AsCode } from "../parts/as-code.js";
import { Failure } from "../parts/failure.js";
import { PageTitle } from "../parts/page-title.js";
import { useCaller } from "../parts/use-may.js";
import { useChapter } from "../reader/chapter.js";
import { useWords } from "../reader/words.js";
import { fieldsOf, typeFields, typeOf } from "./type-fields.js";
import { useMayDesignTypes } from "./use-may-design-types.js";

const { method } = ConfigurationService;

/** A credential type that is made here: like another one if the address names it, otherwise from nothing. */
export function NewTypePage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  const { from } = useSearch({ from: "/types/new" });
  const model = useQuery(method.getCredentialType, { id: Number(from) }, { enabled: from !== undefined });
  const functions = useFunctions();
  const [retrievalFunc = ""] = functions.retrieval;
  const [generationFunc = ""] = functions.generation;
  const begun = from === undefined ? { retrievalFunc, generationFunc } : model.data;
  const error = model.error ?? functions.error;
  return (
    <section className="page" aria-busy={!words}>
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <PageTitle title={words?.newType ?? shell.types} />
      {error && <Failure error={error} onRetry={() => void model.refetch()} />}
      {begun && retrievalFunc && words && (
        <NewTypeEditor
          key={from ?? ""}
          draftName={`new-type.${from ?? ""}`}
          begun={fieldsOf({ customOptions: {}, ...begun, name: "" })}
          functions={functions}
          words={words}
        />
      )}
    </section>
  );
}

function NewTypeEditor({
  draftName,
  begun,
  functions,
  words,
}: {
  readonly draftName: string;
  readonly begun: EditedFields;
  readonly functions: ReturnType<typeof useFunctions>;
  readonly words: DesigningWording;
}) {
  const caller = useCaller().data;
  const why = useMayDesignTypes(words);
  const transport = useTransport();
  const client = useQueryClient();
  const navigate = useNavigate();
  if (!caller) return null;
  return (
    <Editor
      owner={caller.username}
      why={why}
      words={words}
      subject={{
        draftName,
        saved: { etag: "", fields: begun },
        fields: typeFields(words, functions),
        saveLabel: words.create,
        saveMeans: words.createMeans,
        optionsLabel: words.options,
        functionsOf: functions.of,
        previewOf: (fields) => ({
          source: {
            case: "credentialType",
            value: { ...typeOf(fields), name: fields.name?.trim() || words.newType },
          },
        }),
        async save(fields) {
          const credentialType = typeOf(fields);
          const { id } = await createClient(ConfigurationService, transport).createCredentialType({
            credentialType,
          });
          await navigate({ to: "/types/$id", params: { id: String(id) }, replace: true });
          void client.invalidateQueries();
        },
        refresh: async () => {},
        asCode: (fields) => (
          <AsCode method={method.createCredentialType} request={{ credentialType: typeOf(fields) }} />
        ),
      }}
    />
  );
}
