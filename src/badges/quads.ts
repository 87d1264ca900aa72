import { hash } from "node:crypto";
import { CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT } from "./contexts.js";

const RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const XSD = "http://www.w3.org/2001/XMLSchema#";
/** The Open Badges context spells it this way, so this is what is signed. */
const OB_XSD = "https://www.w3.org/2001/XMLSchema#";
const SCHEMA = "https://schema.org/";
const VC = "https://www.w3.org/2018/credentials#";
const STATUS = "https://www.w3.org/ns/credentials/status#";
const SECURITY = "https://w3id.org/security#";
const OB = "https://purl.imsglobal.org/spec/vc/ob/vocab.html#";

/** What a term's values are: text, an IRI or a node, one of the named IRIs, or a literal of the datatype. */
type Kind =
  | "text"
  | "node"
  | { readonly names: Readonly<Record<string, string>> }
  | { readonly datatype: string };

interface Term {
  readonly iri: string;
  readonly kind: Kind;
}

type Terms = Readonly<Record<string, Term>>;

/** The definitions of contexts: types by name, the terms of each type's nodes, and the terms of any node. */
interface Vocabulary {
  readonly types: Readonly<Record<string, { readonly iri: string; readonly terms: Terms }>>;
  readonly everywhere: Terms;
}

const text = (iri: string): Term => ({ iri, kind: "text" });
const node = (iri: string): Term => ({ iri, kind: "node" });
const literal = (iri: string, datatype: string): Term => ({ iri, kind: { datatype } });

const credentials: Vocabulary = {
  types: {
    VerifiableCredential: {
      iri: `${VC}VerifiableCredential`,
      terms: {
        credentialStatus: node(`${VC}credentialStatus`),
        credentialSubject: node(`${VC}credentialSubject`),
        evidence: node(`${VC}evidence`),
        issuer: node(`${VC}issuer`),
        validFrom: literal(`${VC}validFrom`, `${XSD}dateTime`),
        validUntil: literal(`${VC}validUntil`, `${XSD}dateTime`),
      },
    },
    BitstringStatusListCredential: { iri: `${STATUS}BitstringStatusListCredential`, terms: {} },
    BitstringStatusList: {
      iri: `${STATUS}BitstringStatusList`,
      terms: {
        encodedList: literal(`${STATUS}encodedList`, `${SECURITY}multibase`),
        statusPurpose: text(`${STATUS}statusPurpose`),
        ttl: text(`${STATUS}ttl`),
      },
    },
    BitstringStatusListEntry: {
      iri: `${STATUS}BitstringStatusListEntry`,
      terms: {
        statusListCredential: node(`${STATUS}statusListCredential`),
        statusListIndex: text(`${STATUS}statusListIndex`),
        statusPurpose: text(`${STATUS}statusPurpose`),
      },
    },
    DataIntegrityProof: {
      iri: `${SECURITY}DataIntegrityProof`,
      terms: {
        created: literal("http://purl.org/dc/terms/created", `${XSD}dateTime`),
        cryptosuite: literal(`${SECURITY}cryptosuite`, `${SECURITY}cryptosuiteString`),
        proofPurpose: {
          iri: `${SECURITY}proofPurpose`,
          kind: { names: { assertionMethod: `${SECURITY}assertionMethod` } },
        },
        verificationMethod: node(`${SECURITY}verificationMethod`),
      },
    },
  },
  everywhere: { name: text(`${SCHEMA}name`), description: text(`${SCHEMA}description`) },
};

const openBadges: Vocabulary = {
  types: {
    ...credentials.types,
    OpenBadgeCredential: { iri: `${OB}OpenBadgeCredential`, terms: {} },
    Profile: { iri: `${OB}Profile`, terms: {} },
    AchievementSubject: {
      iri: `${OB}AchievementSubject`,
      terms: {
        achievement: node(`${OB}achievement`),
        creditsEarned: literal(`${OB}creditsEarned`, `${OB_XSD}float`),
        identifier: node(`${OB}identifier`),
        result: node(`${OB}result`),
      },
    },
    IdentityObject: {
      iri: `${OB}IdentityObject`,
      terms: {
        hashed: literal(`${OB}hashed`, `${OB_XSD}boolean`),
        identityHash: text(`${OB}identityHash`),
        identityType: text(`${OB}identityType`),
        salt: text(`${OB}salt`),
      },
    },
    Achievement: {
      iri: `${OB}Achievement`,
      terms: {
        achievementType: text(`${OB}achievementType`),
        alignment: node(`${OB}alignment`),
        creator: node(`${OB}creator`),
        creditsAvailable: literal(`${OB}creditsAvailable`, `${OB_XSD}float`),
        criteria: node(`${OB}Criteria`),
        fieldOfStudy: text(`${OB}fieldOfStudy`),
        resultDescription: node(`${OB}resultDescription`),
        tag: text(`${SCHEMA}keywords`),
      },
    },
    Alignment: {
      iri: `${SCHEMA}AlignmentObject`,
      terms: {
        targetCode: text(`${OB}targetCode`),
        targetDescription: text(`${SCHEMA}targetDescription`),
        targetFramework: text(`${SCHEMA}targetFramework`),
        targetName: text(`${SCHEMA}targetName`),
        targetType: text(`${OB}targetType`),
        targetUrl: literal(`${SCHEMA}targetUrl`, `${OB_XSD}anyURI`),
      },
    },
    Image: { iri: `${OB}Image`, terms: { caption: text(`${SCHEMA}caption`) } },
    Result: {
      iri: `${OB}Result`,
      terms: {
        resultDescription: literal(`${OB}resultDescription`, `${OB_XSD}anyURI`),
        value: text(`${SCHEMA}value`),
      },
    },
    ResultDescription: { iri: `${OB}ResultDescription`, terms: { resultType: text(`${OB}resultType`) } },
    Evidence: { iri: `${OB}Evidence`, terms: {} },
  },
  everywhere: {
    ...credentials.everywhere,
    // The published context uses a prefix that it does not define, so the datatype is this literal text.
    awardedDate: literal(`${OB}awardedDate`, "xsd:dateTime"),
    image: node(`${OB}image`),
    inLanguage: text(`${SCHEMA}inLanguage`),
    narrative: text(`${OB}narrative`),
    url: literal(`${SCHEMA}url`, `${OB_XSD}anyURI`),
  },
};

/** JSON without a canonical form here, because this service never writes the like. */
export class UnknownShapeError extends Error {
  override readonly name = "UnknownShapeError";
}

/** Maximum nesting depth of nodes. */
const MAX_DEPTH = 10;

/** Maximum number of statements in a document; those of this service have about fifty. */
const MAX_QUADS = 2000;

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the canonical N-Quads (RDFC-1.0) of a credential, a status list or a proof's options. They are
 * those of jsonld.js with the published contexts. Only the terms that this service writes are known, and
 * others throw, so nothing is silently left unsigned.
 * @param document with its `@context`, without a `proof`
 * @throws UnknownShapeError naming the unknown term or value
 */
export function canonicalQuads(document: Json): string {
  const { "@context": context, ...rest } = document;
  const state: State = { vocabulary: vocabularyOf(context), quads: new Map(), blankNodes: 0 };
  writeNode(rest, state, 0);
  return labelled(state);
}

/** A term in its canonical form; a blank node, which has no label yet, is a number. */
type Written = string | number;

/** A statement. */
interface Quad {
  readonly subject: Written;
  /** An IRI without its brackets. */
  readonly predicate: string;
  readonly object: Written;
}

interface State {
  readonly vocabulary: Vocabulary;
  /** By their texts, in which blank nodes are named by their numbers. */
  readonly quads: Map<string, Quad>;
  blankNodes: number;
}

function vocabularyOf(context: unknown): Vocabulary {
  if (Array.isArray(context) && context[0] === CREDENTIALS_CONTEXT) {
    if (context.length === 1) return credentials;
    if (context.length === 2 && context[1] === OPEN_BADGES_CONTEXT) return openBadges;
  }
  const urls = JSON.stringify(context)?.slice(0, 200);
  throw new UnknownShapeError(`@context ${urls} is not one that this service writes.`);
}

/** @returns the term that denotes the node in statements */
function writeNode(value: Json, state: State, depth: number): Written {
  if (depth > MAX_DEPTH) throw new UnknownShapeError(`Objects are nested more than ${MAX_DEPTH} deep.`);
  const { id, type, ...properties } = value;
  const subject = id === undefined ? state.blankNodes++ : iri(id);
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const terms: Terms[] = [];
  for (const name of types) {
    const known = own(state.vocabulary.types, name);
    if (!known)
      throw new UnknownShapeError(`type ${JSON.stringify(name)} is not one that this service writes.`);
    add(state, subject, RDF_TYPE, `<${known.iri}>`);
    terms.push(known.terms);
  }
  for (const [name, given] of Object.entries(properties)) {
    const term = termOf(name, terms, state.vocabulary);
    if (!term)
      throw new UnknownShapeError(`${name} is unknown in ${types.join(", ") || "an object without type"}.`);
    for (const each of Array.isArray(given) ? given : [given]) {
      add(state, subject, term.iri, objectOf(name, term.kind, each, state, depth));
    }
  }
  return subject;
}

function termOf(name: string, terms: readonly Terms[], { everywhere }: Vocabulary): Term | undefined {
  for (const each of terms) {
    const term = own(each, name);
    if (term) return term;
  }
  return own(everywhere, name);
}

function add({ quads }: State, subject: Written, predicate: string, object: Written): void {
  const quad = { subject, predicate, object };
  quads.set(
    textOf(quad, (node) => `_:${node}`),
    quad,
  );
  if (quads.size > MAX_QUADS) throw new UnknownShapeError(`It makes more than ${MAX_QUADS} statements.`);
}

/** Writes a statement in which blank nodes have these labels. */
function textOf({ subject, predicate, object }: Quad, labelOf: (node: number) => string): string {
  const written = (term: Written) => (typeof term === "number" ? labelOf(term) : term);
  return `${written(subject)} <${predicate}> ${written(object)} .\n`;
}

function objectOf(name: string, kind: Kind, value: unknown, state: State, depth: number): Written {
  if (kind === "node") return isObject(value) ? writeNode(value, state, depth + 1) : iri(value);
  if (kind === "text") {
    if (Number.isSafeInteger(value)) return `"${value}"^^<${XSD}integer>`;
    return quoted(name, value);
  }
  if ("names" in kind) {
    const named = own(kind.names, value);
    if (named === undefined) throw new UnknownShapeError(`${name} is ${JSON.stringify(value)}.`);
    return `<${named}>`;
  }
  const { datatype } = kind;
  const isBoolean = typeof value === "boolean" && datatype === `${OB_XSD}boolean`;
  const isFloat = typeof value === "number" && datatype === `${OB_XSD}float`;
  return `${isBoolean ? `"${value}"` : isFloat ? `"${float(name, value)}"` : quoted(name, value)}^^<${datatype}>`;
}

/** Writes a number as JSON-LD does (JSON-LD 1.1 API, 8.6): whole ones in digits, others as a canonical double. */
function float(name: string, value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value) || Number.isInteger(value))
    throw new UnknownShapeError(`${name} is ${value}, which is no number that this service writes.`);
  return value.toExponential(15).replace(/(\d)0*e\+?/, "$1E");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be escaped
const NEEDS_ESCAPE = /[\u0000-\u001f\u007f"\\]/g;

function quoted(name: string, value: unknown): string {
  if (typeof value !== "string" || !value.isWellFormed()) {
    throw new UnknownShapeError(`${name} must be a text of whole characters.`);
  }
  const escaped = value.replace(NEEDS_ESCAPE, (each) => {
    return ESCAPES[each] ?? `\\u${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** Accepts an IRI that is absolute, in ASCII, and of a scheme that no context uses as a prefix. */
function iri(value: unknown): string {
  if (typeof value === "string" && /^(?:https?|urn|did):[!#-;=?-[\]_a-z~]+$/.test(value)) return `<${value}>`;
  throw new UnknownShapeError(`${JSON.stringify(value)} is not an IRI that this service writes.`);
}

/**
 * Gives blank nodes their canonical labels, by the hash of the statements about them (RDFC-1.0, 4.6), and
 * sorts the statements.
 */
function labelled({ quads, blankNodes }: State): string {
  const labels = labelsOf([...quads.values()].filter(isAboutBlank), blankNodes);
  return Array.from(quads, ([text, quad]) =>
    isAboutBlank(quad) ? textOf(quad, (node) => labels[node] ?? "") : text,
  )
    .sort()
    .join("");
}

function isAboutBlank({ subject, object }: Quad): boolean {
  return typeof subject === "number" || typeof object === "number";
}

function labelsOf(quads: readonly Quad[], blankNodes: number): string[] {
  const hashes = Array.from({ length: blankNodes }, (_, self) => {
    const lines = quads
      .filter(({ subject, object }) => subject === self || object === self)
      .map((quad) => textOf(quad, (node) => (node === self ? "_:a" : "_:z")));
    return hash("sha256", lines.sort().join(""));
  });
  const sorted = [...hashes].sort();
  // Such nodes need the other half of the algorithm, which no document of this service needs.
  if (new Set(sorted).size < sorted.length) throw new UnknownShapeError("Two objects without id are alike.");
  return hashes.map((each) => `_:c14n${sorted.indexOf(each)}`);
}

function own<T>(record: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === "string" && Object.hasOwn(record, name) ? record[name] : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
