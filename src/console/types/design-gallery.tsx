import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import {
  ConfigurationService,
  type Design,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { PdfView } from "../components/pdf-view.js";
import { useChapter } from "../i18n/words.js";
import "./design-gallery.css";

interface FunctionNames {
  readonly retrievalFunc: string;
  readonly generationFunc: string;
}

/** URLs of the pictures, by the paths of their files. */
const pictures = import.meta.glob<string>("./design-pictures/*.webp", {
  eager: true,
  query: "?url",
  import: "default",
});

/** Contents of the sample documents for designs in the service's colour and with its logo. */
const SAMPLE = {
  hours: 40,
  credits: "6 ECTS",
  facts: ["grade", "hours", "credits", "learner_id"],
  signatories: [
    { name: "Prof. Dr. Ingrid Fyrberg", title: "Rector" },
    { name: "Dr. Samuel Okonkwo-Lindqvist", title: "Dean of Studies" },
  ],
} as const;

/** The designs that a new type can start from, each with a picture. The design in the URL is marked as current. */
export function DesignGallery({
  designs,
  functions,
  isBranded,
}: {
  readonly designs: readonly Design[];
  readonly functions: FunctionNames;
  /** Whether the service has a colour of its own, in which the designs are then shown. */
  readonly isBranded: boolean;
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
              hash="design"
              resetScroll={false}
              className="design-card"
            >
              <span className="design-picture" aria-hidden="true">
                {isBranded ? (
                  <BrandedPicture design={design} functions={functions} />
                ) : (
                  <SamplePicture of={design} />
                )}
              </span>
              <strong>{design.title}</strong>
              <span className="small faint">{design.description}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A decorative picture, because the card names the design. */
function SamplePicture({ of: { name } }: { readonly of: Design }) {
  return <img src={pictures[`./design-pictures/${name}.webp`]} alt="" loading="lazy" decoding="async" />;
}

function BrandedPicture({
  design,
  functions,
}: {
  readonly design: Design;
  readonly functions: FunctionNames;
}) {
  const { gallery } = useChapter("designing");
  const { title, customOptions: { accent_color: _, ...options } = {} } = design;
  const sample = Object.keys(options).length === 0 ? {} : SAMPLE; // the built-in design has only one signatory
  const credentialType = {
    ...functions,
    name: gallery.sampleTitle,
    customOptions: { ...options, ...sample },
  };
  const { data } = useQuery(
    ConfigurationService.method.previewCredential,
    { source: { case: "credentialType", value: credentialType }, stamp: PreviewStamp.CORNER },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  if (!data) return <SamplePicture of={design} />;
  return <PdfView identity={title} label="" load={async () => data.pdf} />;
}
