import { invalid } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import { readBareUuid } from "../../credentials/find-uuid.js";
import { type Export, type ExportedCredential, type ExportFiles, onlyCredentials } from "../export.js";
import { asFields, type Fields, momentOf, requiredMoment, requiredText, textIn } from "../fields.js";
import { parseItem, readJsonItems } from "../json-items.js";
import { uuidOfCode } from "../uuid-of-code.js";

const SOURCE = "badgr";

interface Known {
  readonly badges: Map<string, Fields>;
  readonly issuers: Map<string, Fields>;
}

/** Reads issuers, badge classes and assertions from anywhere in the files, in the format of Badgr's API (version 2). */
export async function readBadgr(files: ExportFiles): Promise<Export> {
  const parsedEntities: Known = { badges: new Map(), issuers: new Map() };
  let hasAssertions = false;
  for await (const { entity, fields } of readEntities(files)) {
    if (entity === "BadgeClass") parsedEntities.badges.set(textIn(fields, "entityId"), fields);
    else if (entity === "Issuer") parsedEntities.issuers.set(textIn(fields, "entityId"), fields);
    else hasAssertions = true;
  }
  if (!hasAssertions)
    throw invalid(
      "There are no assertions: export them with “Include Assertions”, or save the responses of /v2/badgeclasses/<id>/assertions.",
    );
  return onlyCredentials(async function* () {
    let number = 0;
    for await (const { entity, fields, file } of readEntities(files)) {
      if (entity !== "Assertion") continue;
      number += 1;
      const location = `${files.names.length > 1 ? `${file}, ` : ""}assertion ${number}`;
      yield {
        number,
        location,
        text: JSON.stringify(fields),
        read: () => assertionOf(fields, parsedEntities),
      };
    }
  });
}

const entityTypes = ["Issuer", "BadgeClass", "Assertion"] as const;
type EntityType = (typeof entityTypes)[number];

interface Entity {
  readonly entity: EntityType;
  readonly fields: Fields;
  readonly file: string;
}

async function* readEntities(files: ExportFiles): AsyncGenerator<Entity> {
  for (const file of files.names.filter((name) => name.endsWith(".json"))) {
    for await (const { text } of readJsonItems(files.chunks(file), file)) {
      for (const found of entitiesIn(parseItem(text))) yield { ...found, file };
    }
  }
}

/** Finds entities recursively. This is safe because the nesting of the value is limited. */
function* entitiesIn(value: unknown): Generator<Omit<Entity, "file">> {
  if (Array.isArray(value)) for (const each of value) yield* entitiesIn(each);
  if (!isObject(value)) return;
  const entity = entityTypes.find((type) => type === textIn(value, "entityType"));
  if (entity) yield { entity, fields: value };
  for (const each of Object.values(value)) if (typeof each === "object") yield* entitiesIn(each);
}

function assertionOf(fields: Fields, { badges, issuers }: Known): ExportedCredential {
  const code = requiredText(fields, "entityId");
  const recipient = asFields(fields.recipient, "recipient");
  const isIdentifiedByEmail = ["", "email"].includes(textIn(recipient, "type"));
  const isPlain = recipient.hashed !== true;
  const email = textIn(recipient, "plaintextIdentity") || (isPlain ? textIn(recipient, "identity") : "");
  if (email === "" || !isIdentifiedByEmail)
    throw invalid(
      "recipient has no plain email address: export the assertions as the issuer, with plaintextIdentity.",
    );
  const badgeId = requiredText(fields, "badgeclass");
  const badge = badges.get(badgeId) ?? {};
  const issuer = issuers.get(textIn(fields, "issuer")) ?? {};
  const extensions = isObject(fields.extensions) ? fields.extensions : {};
  const profile = extensions["extensions:recipientProfile"];
  return {
    verifyUuid: readBareUuid(code) ?? uuidOfCode(SOURCE, code),
    uuid: "",
    legacyId: code,
    aliases: [code],
    learner: { email },
    userFullName: isObject(profile) ? textIn(profile, "name") : "",
    context: badgeId,
    learningContextName: textIn(badge, "name"),
    issuer: textIn(issuer, "name"),
    createdAt: requiredMoment("issuedOn", textIn(fields, "issuedOn")),
    validUntil: momentOf("expires", textIn(fields, "expires")),
    invalidated: fields.revoked === true ? { reason: textIn(fields, "revocationReason"), at: null } : null,
    file: [`${code}.pdf`],
  };
}
