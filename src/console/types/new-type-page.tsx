import type { JsonObject } from "@bufbuild/protobuf";
import { callUnaryMethod, useQuery, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { AsCode } from "../components/as-code.js";
import { Failure } from "../components/failure.js";
import { PageTitle } from "../components/page-title.js";
import { useMayDesignTypes } from "../components/use-may-design-types.js";
import { Editor } from "../editing/editor.js";
import { fieldsOf, typeOf } from "../editing/type-fields.js";
import type { EditedFields } from "../editing/version.js";
import { useChapter, useLanguageTag, useWords } from "../i18n/words.js";
import { useFunctions } from "../options/use-functions.js";
import { lastDone } from "../service/last-done.js";
import { DesignGallery } from "./design-gallery.js";
import { onLocalPaper } from "./local-paper.js";

const { method } = ConfigurationService;

/** Creates a type. The URL says whether it is empty, a copy of a version of another type, or based on a design. */
export function NewTypePage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  const { from, revision, design: chosen } = useSearch({ from: "/types/new" });
  const stored = useQuery(method.getCredentialType, { id: Number(from) }, { enabled: from !== undefined });
  const earlier = useQuery(
    method.listRevisions,
    { source: { case: "credentialTypeId", value: Number(from) }, pageSize: 1000 },
    {
      enabled: from !== undefined && revision !== undefined,
      select: ({ revisions }) => revisions.find(({ number }) => number === Number(revision))?.credentialType,
    },
  );
  const model = revision === undefined ? stored : earlier;
  const functions = useFunctions();
  const designs = useQuery(
    method.listDesigns,
    { language: useLanguageTag(), pageSize: 1000 },
    { enabled: from === undefined, staleTime: Number.POSITIVE_INFINITY },
  );
  const design = designs.data?.designs.find(({ name }) => name === chosen);
  const brands = useQuery(method.listBrands, {}, { enabled: from === undefined });
  const hasAccent = brands.data?.brands.some((each) => each.organisation === "" && each.accentColor !== "");
  const retrievalFunc = functions.retrieving[0]?.name ?? "";
  const generationFunc = functions.generating[0]?.name ?? "";
  const fresh =
    brands.data && (chosen === undefined || design)
      ? {
          retrievalFunc,
          generationFunc,
          ...(design?.customOptions && {
            customOptions: onLocalPaper(inAccent(design.customOptions, hasAccent), navigator.language),
          }),
        }
      : undefined;
  const initial = from === undefined ? fresh : model.data;
  const begunFrom = [from ?? chosen ?? "", revision ?? []].flat().join(".");
  const error = model.error ?? functions.error ?? designs.error ?? brands.error;
  return (
    <section className="page">
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <PageTitle title={words.newType} />
      {error && <Failure error={error} onRetry={() => void (designs.error ? designs : model).refetch()} />}
      {designs.data && retrievalFunc && (
        <DesignGallery
          designs={designs.data.designs}
          functions={{ retrievalFunc, generationFunc }}
          isBranded={hasAccent === true}
        />
      )}
      {initial && retrievalFunc && (
        <NewTypeEditor
          key={begunFrom}
          draftName={`new-type.${begunFrom}`}
          begun={fieldsOf({ customOptions: {}, ...initial, name: "" })}
        />
      )}
    </section>
  );
}

/** Removes the design's own colour if the service's branding has a colour. */
function inAccent({ accent_color, ...options }: JsonObject, hasAccent: boolean | undefined): JsonObject {
  return hasAccent || accent_color === undefined ? options : { ...options, accent_color };
}

function NewTypeEditor({ draftName, begun }: { readonly draftName: string; readonly begun: EditedFields }) {
  const words = useChapter("designing");
  const why = useMayDesignTypes();
  const transport = useTransport();
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = method.createCredentialType;
  return (
    <Editor
      why={why}
      subject={{
        draftName,
        saved: { etag: "", fields: begun },
        saveLabel: words.create,
        saveMeans: words.createMeans,
        optionsLabel: words.options,
        previewOf: (fields) => ({
          source: {
            case: "credentialType",
            value: { ...typeOf(fields), name: fields.name?.trim() || words.newType },
          },
        }),
        async save(fields) {
          const { id } = await callUnaryMethod(transport, create, { credentialType: typeOf(fields) });
          await navigate({ to: "/types/$id", params: { id: String(id) }, hash: true, replace: true });
          lastDone.set({ action: words.create });
          void client.invalidateQueries();
        },
        refresh: async () => {},
        asCode: (fields) => <AsCode method={create} request={{ credentialType: typeOf(fields) }} />,
      }}
    />
  );
}
