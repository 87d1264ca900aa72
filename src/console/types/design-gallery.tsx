import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import {
  ConfigurationService,
  type Design,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { PdfView } from "../components/pdf-view.js";
import { useChapter } from "../i18n/chapter.js";
import "./design-gallery.css";

interface FunctionNames {
  readonly retrievalFunc: string;
  readonly generationFunc: string;
}

/** The designs to start from, each with a picture of its document; the one in the address is marked as current. */
export function DesignGallery({
  designs,
  functions,
}: {
  readonly designs: readonly Design[];
  readonly functions: FunctionNames;
}) {
  const { gallery } = useChapter("designing");
  return (
    <nav aria-labelledby="design-gallery">
      <h2 id="design-gallery">{gallery.title}</h2>
      <p className="faint">{gallery.means}</p>
      <ul className="design-gallery">
        {designs.map((design) => (
          <li key={design.name}>
            <Link
              to="/types/new"
              search={{ design: design.name }}
              hash={true}
              replace
              resetScroll={false}
              className="design-card"
            >
              <DesignPicture design={design} functions={functions} />
              <strong>{design.title}</strong>
              <span className="small faint">{design.description}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The card names it: the picture is for eyes only. */
function DesignPicture({
  design: { title, customOptions = {} },
  functions,
}: {
  readonly design: Design;
  readonly functions: FunctionNames;
}) {
  const credentialType = { ...functions, name: title, customOptions };
  const { data } = useQuery(
    ConfigurationService.method.previewCredential,
    { source: { case: "credentialType", value: credentialType }, stamp: PreviewStamp.CORNER },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <span className="design-picture" aria-hidden="true">
      {data && <PdfView identity={title} label="" load={async () => data.pdf} />}
    </span>
  );
}
