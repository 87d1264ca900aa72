import { useQuery } from "@connectrpc/connect-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { AsCode } from "../components/as-code.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { useMay } from "../components/use-may.js";
import { useMayDesignTypes } from "../components/use-may-design-types.js";
import { contextChoice } from "../contexts/context-choice.js";
import { Editor } from "../editing/editor.js";
import { editedPaths, typeOf, versionOf } from "../editing/type-fields.js";
import { useSave } from "../editing/use-save.js";
import type { EditedFields } from "../editing/version.js";
import { useChapter, useWords } from "../i18n/words.js";
import { OfferedIn, useOffers } from "./offered-in.js";

const OfferDialog = lazily(() => import("../configurations/offer-dialog.js"), "OfferDialog");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");

const Stack = lazily(() => import("../requirements/stack.js"), "Stack");

const { method } = ConfigurationService;

export function TypePage() {
  const { shell } = useWords();
  const id = Number(useParams({ from: "/types/$id" }).id);
  const { data: type, error, refetch } = useQuery(method.getCredentialType, { id });
  const [isOffering, setOffering] = useState(false);
  const onOffer = () => setOffering(true);
  return (
    <section className="page">
      <p className="crumbs">
        <Link to="/types">{shell.types}</Link>
      </p>
      <div className="page-head">
        <PageTitle title={type?.name ?? shell.types}>{type && <bdi>{type.name}</bdi>}</PageTitle>
        {type && <TypeActions type={type} onOffer={onOffer} />}
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {type && (
        <>
          <TypeEditor key={id} type={type} refresh={refetch} onOffer={onOffer} />
          <Stack typeId={id} options={type.customOptions ?? {}} />
          <OfferedIn type={type} />
          {isOffering && <OfferDialog typeId={id} onClose={() => setOffering(false)} />}
        </>
      )}
    </section>
  );
}

function TypeActions({
  type: { id, name, etag },
  onOffer,
}: {
  readonly type: CredentialType;
  readonly onOffer: () => void;
}) {
  const words = useChapter("designing");
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const why = useMayDesignTypes();
  const mayNotOffer = useMay()("designer");
  const isOffered = useOffers(id).offers?.length !== 0;
  return (
    <div className="actions">
      <Button variant={isOffered ? "plain" : "primary"} why={mayNotOffer} onPress={onOffer}>
        {words.offer}
      </Button>
      {why === undefined && (
        <Link to="/types/new" search={{ from: String(id) }} className="button">
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
      {isDeleting && (
        <RemovalDialog
          label={words.deleteType}
          what={name}
          means={words.deleteTypeMeans}
          method={method.deleteCredentialType}
          request={{ id, etag }}
          onRemoved={() => navigate({ to: "/types", replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

function TypeEditor({
  type,
  refresh,
  onOffer,
}: {
  readonly type: CredentialType;
  readonly refresh: () => Promise<unknown>;
  readonly onOffer: () => void;
}) {
  const { id } = type;
  const words = useChapter("designing");
  const why = useMayDesignTypes();
  const { offers } = useOffers(id);
  const [offer] = offers ?? [];
  const mayNotOffer = useMay()("designer");
  const save = useSave(method.updateCredentialType, method.getCredentialType, id);
  const requestOf = (fields: EditedFields, etag: string) => ({
    credentialType: { ...typeOf(fields), id, etag },
    updateMask: { paths: editedPaths },
  });
  return (
    <Editor
      why={why}
      subject={{
        draftName: `type.${id}`,
        issued: { type: String(id) },
        revised: { case: "credentialTypeId", value: id },
        tryIn: offer && contextChoice(offer.learningContextKey, offer.learningContextName),
        offerIn: (key) => offers?.find(({ learningContextKey }) => learningContextKey === key),
        onOffer: offers?.length === 0 && mayNotOffer === undefined ? onOffer : undefined,
        saved: versionOf(type),
        saveLabel: words.save,
        saveMeans: words.saveMeans,
        optionsLabel: words.options,
        previewOf: (fields) => ({ source: { case: "credentialType", value: typeOf(fields) } }),
        save: async (fields, etag) => versionOf(await save(requestOf(fields, etag))),
        refresh,
        asCode: (fields, etag) => (
          <AsCode method={method.updateCredentialType} request={requestOf(fields, etag)} />
        ),
      }}
    />
  );
}
