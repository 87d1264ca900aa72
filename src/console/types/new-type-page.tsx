import { callUnaryMethod, useQuery, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { Link, Navigate, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { AsCode } from "../components/as-code.js";
import { Failure } from "../components/failure.js";
import { PageTitle } from "../components/page-title.js";
import { useCaller } from "../components/use-may.js";
import { useMayDesignTypes } from "../components/use-may-design-types.js";
import { Editor } from "../editing/editor.js";
import { fieldsOf, typeOf, versionOf } from "../editing/type-fields.js";
import type { EditedFields } from "../editing/version.js";
import { useChapter, useLanguageTag, useWords } from "../i18n/words.js";
import { useFunctions } from "../options/use-functions.js";
import { lastDone } from "../service/last-done.js";
import { DesignGallery } from "./design-gallery.js";
import { onLocalPaper } from "./local-paper.js";
import { inColourOf, ownBrand } from "./own-brand.js";

const { method } = ConfigurationService;

/**
 * Creates a type. The URL says whether it is a copy of a version of another type, or based on a design. Without either,
 * the page only shows the gallery, unless the URL asks for the form of an empty type.
 */
export function NewTypePage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  const { from, revision, design: chosen } = useSearch({ from: "/types/new" });
  const isForm = useLocation({ select: ({ hash }) => hash === "form" });
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
  const caller = useCaller();
  const brand = brands.data && caller.data && ownBrand(brands.data.brands, caller.data);
  const retrievalFunc = functions.retrieving[0]?.name ?? "";
  const generationFunc = functions.generating[0]?.name ?? "";
  const fresh =
    brands.data && caller.data && designs.data && (chosen === undefined || design)
      ? {
          retrievalFunc,
          generationFunc,
          ...(design?.customOptions && {
            customOptions: onLocalPaper(inColourOf(brand, design.customOptions), navigator.language),
          }),
        }
      : undefined;
  const initial = from === undefined ? fresh : model.data;
  const begunFrom = [from ?? chosen ?? "", revision ?? []].flat().join(".");
  const isMissing =
    (chosen !== undefined && designs.data && !design) ||
    (revision !== undefined && earlier.isFetched && !earlier.data && !earlier.error);
  if (isMissing) return <Navigate to="/types/new" replace />;
  const isStarted = from !== undefined || chosen !== undefined || isForm;
  const error = model.error ?? functions.error ?? designs.error ?? brands.error ?? caller.error;
  return (
    <section className="page">
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <PageTitle title={words.newType} />
      {error && <Failure error={error} onRetry={() => void (designs.error ? designs : model).refetch()} />}
      {designs.data && brands.data && caller.data && retrievalFunc && (
        <DesignGallery
          designs={designs.data.designs}
          functions={{ retrievalFunc, generationFunc }}
          brand={brand}
        />
      )}
      {isStarted && initial && retrievalFunc && (
        <NewTypeEditor
          key={begunFrom}
          draftName={`new-type.${begunFrom}`}
          begun={fieldsOf({ customOptions: {}, ...initial, name: "" })}
        />
      )}
    </section>
  );
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
          const created = await callUnaryMethod(transport, create, { credentialType: typeOf(fields) });
          const id = String(created.id);
          return {
            ...versionOf(created),
            draftName: `type.${id}`,
            async open() {
              await navigate({ to: "/types/$id", params: { id }, hash: true, replace: true });
              lastDone.set({ action: words.create });
              void client.invalidateQueries();
            },
          };
        },
        refresh: async () => {},
        asCode: (fields) => <AsCode method={create} request={{ credentialType: typeOf(fields) }} />,
      }}
    />
  );
}
