import { hash } from "node:crypto";
import { groupBy } from "#foundation/group-by.js";
import { isObject } from "#foundation/text/is-object.js";
import {
  CREDENTIALS_CONTEXT,
  EXTENSIONS_CONTEXT,
  LEARNER_RECORD_CONTEXT,
  OPEN_BADGES_CONTEXT,
} from "./contexts.js";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDF_TYPE = `${RDF}type`;
const XSD = "http://www.w3.org/2001/XMLSchema#";
/** The Open Badges context misspells this namespace. Signatures must use the same spelling. */
const OB_XSD = "https://www.w3.org/2001/XMLSchema#";
const SCHEMA = "https://schema.org/";
const VC = "https://www.w3.org/2018/credentials#";
const STATUS = "https://www.w3.org/ns/credentials/status#";
const SECURITY = "https://w3id.org/security#";
const OB = "https://purl.imsglobal.org/spec/vc/ob/vocab.html#";
const CLR = "https://purl.imsglobal.org/spec/vc/clr/vocab.html#";

/**
 * The kinds of values of a term: `text`; `node`, an object or an IRI; `graph`, a node in its own graph; `credential`, a
 * credential with its own context; `list`, a list of texts; `names`, names that are mapped to IRIs; `datatype`, a
 * literal of this datatype.
 */
type Kind =
  | "text"
  | "node"
  | "graph"
  | "credential"
  | "list"
  | { readonly names: Readonly<Record<string, string>> }
  | { readonly datatype: string };

interface Term {
  readonly iri: string;
  readonly kind: Kind;
}

type Terms = Readonly<Record<string, Term>>;

/** Definitions from JSON-LD contexts: the types, the terms of each type, and the terms of any node. */
interface Vocabulary {
  readonly types: Readonly<Record<string, { readonly iri: string; readonly terms: Terms }>>;
  readonly everywhere: Terms;
  /** Maximum number of statements in a document. */
  readonly maxQuads: number;
}

const text = (term: string): Term => ({ iri: term, kind: "text" });
const node = (term: string): Term => ({ iri: term, kind: "node" });
const literal = (term: string, datatype: string): Term => ({ iri: term, kind: { datatype } });

const credentials: Vocabulary = {
  types: {
    VerifiableCredential: {
      iri: `${VC}VerifiableCredential`,
      terms: {
        credentialSchema: node(`${VC}credentialSchema`),
        credentialStatus: node(`${VC}credentialStatus`),
        credentialSubject: node(`${VC}credentialSubject`),
        evidence: node(`${VC}evidence`),
        issuer: node(`${VC}issuer`),
        proof: { iri: `${SECURITY}proof`, kind: "graph" },
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
        proofValue: literal(`${SECURITY}proofValue`, `${SECURITY}multibase`),
        verificationMethod: node(`${SECURITY}verificationMethod`),
      },
    },
  },
  everywhere: { name: text(`${SCHEMA}name`), description: text(`${SCHEMA}description`) },
  // Badges of this service have about fifty statements.
  maxQuads: 2000,
};

const openBadges: Vocabulary = {
  ...credentials,
  types: {
    ...credentials.types,
    OpenBadgeCredential: { iri: `${OB}OpenBadgeCredential`, terms: {} },
    AchievementCredential: { iri: `${OB}OpenBadgeCredential`, terms: {} },
    "1EdTechJsonSchemaValidator2019": {
      iri: "https://purl.imsglobal.org/spec/vccs/v1p0/context.json#1EdTechJsonSchemaValidator2019",
      terms: {},
    },
    Profile: { iri: `${OB}Profile`, terms: { email: text(`${SCHEMA}email`) } },
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
        related: node(`${OB}related`),
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
        status: text(`${OB}status`),
        value: text(`${SCHEMA}value`),
      },
    },
    ResultDescription: {
      iri: `${OB}ResultDescription`,
      terms: {
        allowedValue: { iri: `${OB}allowedValue`, kind: "list" },
        requiredValue: text(`${OB}requiredValue`),
        resultType: text(`${OB}resultType`),
        valueMax: text(`${OB}valueMax`),
        valueMin: text(`${OB}valueMin`),
      },
    },
    Evidence: { iri: `${OB}Evidence`, terms: {} },
    Related: { iri: `${OB}Related`, terms: {} },
  },
  everywhere: {
    ...credentials.everywhere,
    // The published context uses a prefix that it doesn't define, so the datatype is this literal text.
    awardedDate: literal(`${OB}awardedDate`, "xsd:dateTime"),
    image: node(`${OB}image`),
    inLanguage: text(`${SCHEMA}inLanguage`),
    narrative: text(`${OB}narrative`),
    url: literal(`${SCHEMA}url`, `${OB_XSD}anyURI`),
  },
};

/** The published context uses this prefix without defining it. */
const PREFIXED = "xsd:";

const learnerRecords: Vocabulary = {
  ...openBadges,
  types: {
    ...openBadges.types,
    ClrCredential: {
      iri: `${CLR}ClrCredential`,
      terms: { partial: literal(`${CLR}partial`, `${PREFIXED}boolean`) },
    },
    ClrSubject: {
      iri: `${CLR}ClrSubject`,
      terms: {
        achievement: node(`${CLR}achievement`),
        association: node(`${CLR}association`),
        identifier: node(`${CLR}identifier-1`),
        verifiableCredential: { iri: `${CLR}verifiableCredential`, kind: "credential" },
      },
    },
    Association: {
      iri: `${CLR}Association`,
      terms: {
        associationType: text(`${CLR}AssociationType`),
        sourceId: literal(`${CLR}sourceId`, `${PREFIXED}anyURI`),
        targetId: literal(`${CLR}targetId`, `${PREFIXED}anyURI`),
      },
    },
  },
  maxQuads: 100_000,
};

/** Thrown for JSON that has no implemented canonical form, because this service never writes such JSON. */
export class UnknownShapeError extends Error {
  override readonly name = "UnknownShapeError";
}

const MAX_DEPTH = 10;

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the canonical N-Quads (RDFC-1.0) of a credential, a learner record, a status list or the options of a proof,
 * as jsonld.js does with the published contexts. Supports only the terms that this service writes. Throws for other
 * terms, because ignoring them would leave them unsigned.
 * @param document with its `@context`, without a `proof`
 * @throws UnknownShapeError that names the unknown term or value
 */
export function canonicalQuads(document: Json): string {
  const { "@context": context, ...rest } = document;
  const vocabulary = vocabularyOf(context);
  const { maxQuads } = vocabulary;
  const state: State = { vocabulary, graph: undefined, quads: new Map(), maxQuads, blankNodes: 0 };
  writeNode(rest, state, 0);
  return labelled(state);
}

/** A term in canonical form, or the number of a blank node that has no label yet. */
type Written = string | number;

interface Quad {
  readonly subject: Written;
  /** IRI without angle brackets. */
  readonly predicate: string;
  readonly object: Written;
  /** undefined for the default graph. */
  readonly graph: Written | undefined;
  /** Numbers of the blank nodes in this statement. */
  readonly blank: readonly number[];
}

interface State {
  /** The vocabulary of the current credential. */
  vocabulary: Vocabulary;
  /** The graph to which statements are added. */
  graph: Written | undefined;
  readonly maxQuads: number;
  /** Each statement, by its text. In the text, blank nodes are numbered instead of named. */
  readonly quads: Map<string, Quad>;
  blankNodes: number;
}

/** Maps lists of contexts, as JSON, to vocabularies. */
const vocabularies = new Map([
  [contexts(), credentials],
  [contexts(OPEN_BADGES_CONTEXT), openBadges],
  [contexts(OPEN_BADGES_CONTEXT, EXTENSIONS_CONTEXT), openBadges],
  [contexts(LEARNER_RECORD_CONTEXT, OPEN_BADGES_CONTEXT), learnerRecords],
  [contexts(LEARNER_RECORD_CONTEXT, OPEN_BADGES_CONTEXT, EXTENSIONS_CONTEXT), learnerRecords],
]);

function contexts(...further: readonly string[]): string {
  return JSON.stringify([CREDENTIALS_CONTEXT, ...further]);
}

function vocabularyOf(context: unknown): Vocabulary {
  const cached = vocabularies.get(JSON.stringify(context));
  if (cached) return cached;
  const urls = JSON.stringify(context)?.slice(0, 200);
  throw new UnknownShapeError(`its @context ${urls} is not supported.`);
}

/**
 * Writes the statements about a node.
 * @returns the term for the node
 */
function writeNode(value: Json, state: State, depth: number): Written {
  if (depth > MAX_DEPTH) throw new UnknownShapeError(`its objects are nested more than ${MAX_DEPTH} deep.`);
  const { id, type, ...properties } = value;
  const subject = id === undefined ? state.blankNodes++ : iri(id);
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const terms: Terms[] = [];
  for (const name of types) {
    const typeTerm = ownProperty(state.vocabulary.types, name);
    if (!typeTerm) throw new UnknownShapeError(`its type ${JSON.stringify(name)} is not supported.`);
    add(state, subject, RDF_TYPE, `<${typeTerm.iri}>`);
    terms.push(typeTerm.terms);
  }
  for (const [name, propertyValue] of Object.entries(properties)) {
    const term = termOf(name, terms, state.vocabulary);
    if (!term)
      throw new UnknownShapeError(
        `the property ${name} of ${types.join(", ") || "an object without a type"} is not supported.`,
      );
    const values = Array.isArray(propertyValue) ? propertyValue : [propertyValue];
    if (term.kind === "list") add(state, subject, term.iri, writeList(name, values, state));
    else
      for (const each of values) {
        add(state, subject, term.iri, objectOf(name, term.kind, each, state, depth));
      }
  }
  return subject;
}

function termOf(name: string, terms: readonly Terms[], { everywhere }: Vocabulary): Term | undefined {
  for (const each of terms) {
    const term = ownProperty(each, name);
    if (term) return term;
  }
  return ownProperty(everywhere, name);
}

function add(state: State, subject: Written, predicate: string, object: Written): void {
  const { quads, graph, maxQuads } = state;
  const blank = [subject, object, graph].filter((term) => typeof term === "number");
  const quad = { subject, predicate, object, graph, blank };
  quads.set(
    textOf(quad, (node) => `_:${node}`),
    quad,
  );
  if (quads.size > maxQuads) throw new UnknownShapeError(`it has more than ${maxQuads} statements.`);
}

/** Returns a statement's text, with labels for its blank nodes. */
function textOf({ subject, predicate, object, graph }: Quad, labelOf: (node: number) => string): string {
  const written = (term: Written) => (typeof term === "number" ? labelOf(term) : term);
  const within = graph === undefined ? "" : `${written(graph)} `;
  return `${written(subject)} <${predicate}> ${written(object)} ${within}.\n`;
}

const MAX_LIST = 200;

/** @returns the list's first node */
function writeList(name: string, values: readonly unknown[], state: State): Written {
  if (values.length > MAX_LIST)
    throw new UnknownShapeError(`the property ${name} has more than ${MAX_LIST} values.`);
  let rest: Written = `<${RDF}nil>`;
  for (const value of values.toReversed()) {
    const node = state.blankNodes++;
    add(state, node, `${RDF}first`, quoted(name, value));
    add(state, node, `${RDF}rest`, rest);
    rest = node;
  }
  return rest;
}

function objectOf(
  name: string,
  kind: Exclude<Kind, "list">,
  value: unknown,
  state: State,
  depth: number,
): Written {
  if (kind === "node") return isObject(value) ? writeNode(value, state, depth + 1) : iri(value);
  if (kind === "graph") return writeGraph(name, value, state, depth);
  if (kind === "credential") return writeCredential(name, value, state, depth);
  if (kind === "text") {
    if (Number.isSafeInteger(value)) return `"${value}"^^<${XSD}integer>`;
    return quoted(name, value);
  }
  if ("names" in kind) {
    const named = ownProperty(kind.names, value);
    if (named === undefined)
      throw new UnknownShapeError(
        `the value ${JSON.stringify(value)} of the property ${name} is not supported.`,
      );
    return `<${named}>`;
  }
  const { datatype } = kind;
  const isBoolean = typeof value === "boolean" && datatype.endsWith("boolean");
  const isFloat = typeof value === "number" && datatype === `${OB_XSD}float`;
  return `${isBoolean ? `"${value}"` : isFloat ? `"${float(name, value)}"` : quoted(name, value)}^^<${datatype}>`;
}

/** Formats a number as JSON-LD does (JSON-LD 1.1 API, 8.6): integers in digits, other numbers as canonical doubles. */
function float(name: string, value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  // Implementations differ for numbers that JavaScript writes with an exponent: jsonld.js 8 converts 1e-7 to 0.
  if (!/^-?\d+\.\d+$/.test(String(value)))
    throw new UnknownShapeError(`the number ${value} of the property ${name} is not supported.`);
  return value.toExponential(15).replace(/(\d)0*e\+?/, "$1E");
}

/**
 * Writes a node into a graph of its own.
 * @returns the name of the graph
 */
function writeGraph(name: string, value: unknown, state: State, depth: number): Written {
  if (!isObject(value)) throw new UnknownShapeError(`the property ${name} is not an object.`);
  if (state.graph !== undefined)
    throw new UnknownShapeError(
      `the property ${name} is a graph inside another graph, which is not supported.`,
    );
  const graph = state.blankNodes++;
  state.graph = graph;
  writeNode(value, state, depth + 1);
  state.graph = undefined;
  return graph;
}

function writeCredential(name: string, value: unknown, state: State, depth: number): Written {
  if (!isObject(value)) throw new UnknownShapeError(`the property ${name} is not an object.`);
  const { "@context": context, ...rest } = value;
  const { vocabulary } = state;
  state.vocabulary = vocabularyOf(context);
  const written = writeNode(rest, state, depth + 1);
  state.vocabulary = vocabulary;
  return written;
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must be escaped
const NEEDS_ESCAPE = /[\u0000-\u001f\u007f"\\]/g;

function quoted(name: string, value: unknown): string {
  if (typeof value !== "string" || !value.isWellFormed()) {
    throw new UnknownShapeError(`the property ${name} is not well-formed text.`);
  }
  const escaped = value.replace(NEEDS_ESCAPE, (each) => {
    return ESCAPES[each] ?? `\\u${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** Accepts absolute ASCII IRIs whose scheme is not a prefix in any context. */
function iri(value: unknown): string {
  if (typeof value === "string" && /^(?:https?|urn|did):[!#-;=?-[\]_a-z~]+$/.test(value)) return `<${value}>`;
  throw new UnknownShapeError(`its IRI ${JSON.stringify(value)} is not supported.`);
}

/** Labels blank nodes by the hash of their statements (RDFC-1.0, 4.6), and sorts the statements. */
function labelled({ quads, blankNodes }: State): string {
  const labels = labelsOf(quads.values(), blankNodes);
  return Array.from(quads, ([text, quad]) =>
    quad.blank.length > 0 ? textOf(quad, (node) => labels[node] ?? "") : text,
  )
    .sort()
    .join("");
}

function labelsOf(quads: Iterable<Quad>, blankNodes: number): string[] {
  const about = Array.from({ length: blankNodes }, (): Quad[] => []);
  for (const quad of quads) for (const node of new Set(quad.blank)) about[node]?.push(quad);
  const firstHashes = about.map((own, self) =>
    sha256(
      own
        .map((quad) => textOf(quad, (node) => (node === self ? "_:a" : "_:z")))
        .sort()
        .join(""),
    ),
  );
  const alike = groupBy(firstHashes.keys(), (node) => firstHashes[node]);
  const groups = [...alike]
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1))
    .map(([, nodes]) => nodes);
  const labels: string[] = [];
  let labelCount = 0;
  const label = (node: number) => {
    labels[node] ??= `_:c14n${labelCount++}`;
  };
  for (const nodes of groups) if (nodes.length === 1) nodes.forEach(label);
  const hashFrom = createNeighbourHash(about, firstHashes, labels);
  for (const nodes of groups) {
    const others = nodes.filter((node) => labels[node] === undefined).map(hashFrom);
    others.sort((one, other) => (one.hashed < other.hashed ? -1 : one.hashed > other.hashed ? 1 : 0));
    for (const { visited } of others) visited.forEach(label);
  }
  return labels;
}

/** Maximum number of visits to nodes while distinguishing nodes with equal statements. */
const MAX_VISITS = 50_000;

/**
 * Returns a function that hashes a node together with its neighbours (RDFC-1.0, 4.8). This distinguishes nodes with
 * equal statements, for example items of equal lists. Throws if even the neighbours are equal: no document of this
 * service has such nodes, and trying all orders could take forever.
 */
function createNeighbourHash(
  about: readonly (readonly Quad[])[],
  firstHashes: readonly string[],
  labels: readonly (string | undefined)[],
) {
  let looks = 0;
  function hashed(self: number, names: Map<number, string>): string {
    if (++looks > MAX_VISITS) throw new UnknownShapeError("it has too many similar objects without an id.");
    const related = new Map<string, number>();
    for (const quad of about[self] ?? []) {
      for (const [position, node] of [
        ["s", quad.subject],
        ["o", quad.object],
        ["g", quad.graph],
      ] as const) {
        if (typeof node !== "number" || node === self) continue;
        const nodeLabel = labels[node] ?? names.get(node) ?? firstHashes[node];
        const key = sha256(`${position}${position === "g" ? "" : `<${quad.predicate}>`}${nodeLabel}`);
        if (related.has(key)) throw new UnknownShapeError("it has two similar objects without an id.");
        related.set(key, node);
      }
    }
    let data = "";
    for (const [key, node] of [...related].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const nodeLabel = labels[node] ?? names.get(node);
      data += `${key}${nodeLabel ?? nameFor(node, names)}`;
      if (nodeLabel === undefined) data += `${names.get(node)}<${hashed(node, names)}>`;
    }
    return sha256(data);
  }
  return (node: number) => {
    const names = new Map<number, string>();
    nameFor(node, names);
    return { hashed: hashed(node, names), visited: [...names.keys()] };
  };
}

function nameFor(node: number, names: Map<number, string>): string {
  const name = `_:b${names.size}`;
  names.set(node, name);
  return name;
}

function sha256(text: string): string {
  return hash("sha256", text);
}

function ownProperty<T>(record: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === "string" && Object.hasOwn(record, name) ? record[name] : undefined;
}
