import { hasNoUser } from "#foundation/text/has-no-user.js";
import { type NoteKey, readKey } from "./note.js";

interface Witness {
  /** The witness's name in the policy. */
  readonly name: string;
  readonly key: NoteKey;
  /** Address to which checkpoints are sent, without a trailing slash; undefined if the policy is only for verifying. */
  readonly url: string | undefined;
}

/** Trusted logs and witnesses (C2SP tlog-policy). */
export interface LogPolicy {
  readonly logs: readonly NoteKey[];
  readonly witnesses: readonly Witness[];
  /** Returns whether the cosignatures of these witnesses (by their names in the policy) meet the policy. */
  isMetBy(names: ReadonlySet<string>): boolean;
}

const MAX_LINES = 500;
const NONE = "none";

/**
 * Parses a policy.
 * @throws RangeError that names the line and describes the problem
 */
export function readPolicy(text: string): LogPolicy {
  const logs: NoteKey[] = [];
  const witnesses: Witness[] = [];
  /** For each witness or group: returns whether the named cosigning witnesses satisfy it. */
  const rules = new Map<string, (names: ReadonlySet<string>) => boolean>();
  const members = new Set<string>();
  let quorum: ((names: ReadonlySet<string>) => boolean) | undefined;

  function define(name: string, rule: (names: ReadonlySet<string>) => boolean): void {
    if (name === NONE) throw new RangeError(`defines the reserved name ${JSON.stringify(NONE)}`);
    if (rules.has(name)) throw new RangeError(`defines ${JSON.stringify(name)} again`);
    rules.set(name, rule);
  }

  function ruleOf(name: string) {
    const rule = rules.get(name);
    if (!rule) throw new RangeError(`names ${JSON.stringify(name)}, which no line above defines`);
    return rule;
  }

  function addGroup([name = "", count = "", ...names]: readonly string[]): void {
    if (names.length === 0) throw new RangeError("must name the members of the group");
    const least = { all: names.length, any: 1 }[count] ?? (/^\d{1,3}$/.test(count) ? Number(count) : 0);
    if (least < 1 || least > names.length)
      throw new RangeError(`must require all, any or 1 to ${names.length} members, not ${count}`);
    const parts = names.map(ruleOf);
    for (const each of names) {
      if (members.has(each)) throw new RangeError(`names the member ${JSON.stringify(each)} twice`);
      members.add(each);
    }
    define(name, (signers) => parts.filter((isMet) => isMet(signers)).length >= least);
  }

  function read([kind, ...rest]: readonly string[]): void {
    const [first = "", second = ""] = rest;
    if (kind === "log" && (rest.length === 1 || rest.length === 2)) logs.push(keyOfKind(first, "log", logs));
    else if (kind === "witness" && (rest.length === 2 || rest.length === 3)) {
      const key = keyOfKind(
        second,
        "witness",
        witnesses.map((each) => each.key),
      );
      witnesses.push({ name: first, key, url: rest[2] === undefined ? undefined : urlIn(rest[2]) });
      define(first, (signers) => signers.has(first));
    } else if (kind === "group") addGroup(rest);
    else if (kind === "quorum" && rest.length === 1 && !quorum)
      quorum = first === NONE ? () => true : ruleOf(first);
    else if (kind === "quorum" && quorum) throw new RangeError("sets the quorum again");
    else throw new RangeError("is not a valid log, witness, group or quorum line");
  }

  const lines = text.split("\n");
  if (lines.length > MAX_LINES) throw new RangeError(`has more than ${MAX_LINES} lines`);
  for (const [index, line] of lines.entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== "");
    if (words.length === 0 || words[0]?.startsWith("#")) continue;
    try {
      read(words);
    } catch (error) {
      throw new RangeError(`line ${index + 1} ${(error as Error).message}`);
    }
  }
  if (!quorum)
    throw new RangeError("sets no quorum: add a line, for example `quorum none`, which requires no witness");
  return { logs, witnesses, isMetBy: quorum };
}

function keyOfKind(text: string, kind: NoteKey["kind"], others: readonly NoteKey[]): NoteKey {
  const key = readNamedKey(text);
  if (key.kind !== kind) throw new RangeError(`names the key of a ${key.kind}, not of a ${kind}`);
  if (others.some(({ publicKey }) => Buffer.compare(publicKey, key.publicKey) === 0))
    throw new RangeError("names a key twice");
  return key;
}

function readNamedKey(text: string): NoteKey {
  try {
    return readKey(text);
  } catch (error) {
    throw new RangeError(`names a key that ${(error as Error).message}`);
  }
}

function urlIn(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text))
    throw new RangeError(`names ${JSON.stringify(text)}, which is not an http or https URL`);
  if (!hasNoUser(text))
    throw new RangeError("names a URL with a username or password, which is not supported");
  return text.replace(/\/+$/, "");
}
