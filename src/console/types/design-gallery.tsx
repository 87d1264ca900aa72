import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import {
  ConfigurationService,
  type Design,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { PageCanvas } from "../components/page-canvas.js";
import { useIsSeen } from "../components/use-is-seen.js";
import { useChapter } from "../i18n/words.js";
import { inColourOf, type OwnBrand } from "./own-brand.js";
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

/** Contents of the sample documents for designs in the institution's colour. */
const SAMPLE: JsonObject = {
  hours: 40,
  credits: "6 ECTS",
  facts: ["grade", "hours", "credits", "learner_id"],
  signatories: [
    { name: "Prof. Dr. Ingrid Fyrberg", title: "Rector" },
    { name: "Dr. Samuel Okonkwo-Lindqvist", title: "Dean of Studies" },
  ],
};

/** Number of designs that are drawn in the institution's colour at the same time. */
const DRAWN_AT_ONCE = 2;

/** Distance from the window at which designs are already drawn, so that they are ready when they come into view. */
const NEARLY_SEEN = "150px";

/** The designs that a new type can start from, each with a picture. The design in the URL is marked as current. */
export function DesignGallery({
  designs,
  functions,
  brand,
}: {
  readonly designs: readonly Design[];
  readonly functions: FunctionNames;
  /** The branding in whose colour the designs are shown. */
  readonly brand: OwnBrand | undefined;
}) {
  const { gallery } = useChapter("designing");
  const [seen, setSeen] = useState<readonly string[]>([]);
  const [done, setDone] = useState<readonly string[]>([]);
  const drawn = seen.filter((name) => !done.includes(name)).slice(0, DRAWN_AT_ONCE);
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
              resetScroll={false}
              className="design-card"
            >
              <span className="design-picture" aria-hidden="true">
                <StoredPicture of={design} />
                {brand && (
                  <BrandedPicture
                    design={design}
                    functions={functions}
                    brand={brand}
                    isNext={drawn.includes(design.name)}
                    onSeen={() => setSeen((before) => [...before, design.name])}
                    onDone={() => setDone((before) => [...before, design.name])}
                  />
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
function StoredPicture({ of: { name } }: { readonly of: Design }) {
  return <img src={pictures[`./design-pictures/${name}.webp`]} alt="" loading="lazy" decoding="async" />;
}

/** A picture in the institution's colour. It covers the stored picture once it has been drawn. */
function BrandedPicture({
  design: { customOptions = {} },
  functions,
  brand,
  isNext,
  onSeen,
  onDone,
}: {
  readonly design: Design;
  readonly functions: FunctionNames;
  readonly brand: OwnBrand;
  /** Whether it is this picture's turn. */
  readonly isNext: boolean;
  readonly onSeen: () => void;
  /** Called when the picture has been drawn or can't be drawn. */
  readonly onDone: () => void;
}) {
  const { gallery } = useChapter("designing");
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useIsSeen(place, NEARLY_SEEN);
  const credentialType = {
    ...functions,
    name: gallery.sampleTitle,
    customOptions: { ...inColourOf(brand, customOptions), ...SAMPLE },
  };
  const { data, error } = useQuery(
    ConfigurationService.method.previewCredential,
    { source: { case: "credentialType", value: credentialType }, stamp: PreviewStamp.CORNER },
    { enabled: isNext, staleTime: Number.POSITIVE_INFINITY, retry: false },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the gallery passes a new function each time
  useEffect(() => {
    if (isSeen) onSeen();
  }, [isSeen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (error) onDone();
  }, [error]);
  return (
    <span ref={place} className="branded-picture">
      {data && <PageCanvas pdf={data.pdf} label="" onDrawn={onDone} />}
    </span>
  );
}
