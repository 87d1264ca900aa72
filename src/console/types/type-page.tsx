import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { CredentialType } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Editor } from "../editing/editor.js";
import { useFunctions } from "../editing/use-functions.js";
import type { EditedFields } from "../editing/version.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { PageTitle } from "../parts/page-title.js";
import { useCaller } from "../parts/use-may.js";
import { useChapter } from "../reader/chapter.js";
import { useWords } from "../reader/words.js";
import { OfferedIn, useOffers } from "./offered-in.js";
import { fieldsOf, typeFields, typeOf } from "./type-fields.js";
import { useMayDesignTypes } from "./use-may-design-types.js";

/** Dialogs are large, and come when they are opened. */
const DeleteTypeDialog = lazy(async () => ({
  default: (await import("./delete-type-dialog.js")).DeleteTypeDialog,
}));

const { method } = ConfigurationService;

/** A credential type: what it asks for, how it looks, and where it is offered. */
export function TypePage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  const id = Number(useParams({ from: "/types/$id" }).id);
  const found = useQuery(method.getCredentialType, { id });
  return (
    <section className="page" aria-busy={!words}>
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <div className="page-head">
        <PageTitle title={found.data?.name ?? shell.types}>
          {found.data && <bdi>{found.data.name}</bdi>}
        </PageTitle>
        {found.data && words && <TypeActions type={found.data} words={words} />}
      </div>
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

function TypeActions({ type, words }: { readonly type: CredentialType; readonly words: DesigningWording }) {
  const [isDeleting, setDeleting] = useState(false);
  const why = useMayDesignTypes(words);
  const { data: offers } = useOffers(type.id);
  const isOffered = offers?.credentialConfigurations.length !== 0;
  return (
    <div className="actions">
      {why === undefined && (
        <Link to="/types/new" search={{ from: String(type.id) }} className="button">
          {words.likeThis}
        </Link>
      )}
      <Button
        className="button-warning"
        why={why ?? (isOffered ? words.stillOffered : undefined)}
        onPress={() => setDeleting(true)}
      >
        {words.deleteType}
      </Button>
      <Suspense>
        {isDeleting && <DeleteTypeDialog type={type} words={words} onClose={() => setDeleting(false)} />}
      </Suspense>
    </div>
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
  const why = useMayDesignTypes(words);
  const functions = useFunctions();
  const transport = useTransport();
  const client = useQueryClient();
  if (!caller || functions.isPending) return null;
  const requestOf = (fields: EditedFields, etag: string) => ({
    credentialType: { ...typeOf(fields), id, etag },
    updateMask: { paths: ["*"] },
  });
  return (
    <Editor
      owner={caller.username}
      why={why}
      words={words}
      subject={{
        draftName: `type.${id}`,
        saved: { etag: type.etag, fields: fieldsOf(type) },
        fields: typeFields(words, functions),
        saveLabel: words.save,
        saveMeans: words.saveMeans,
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
