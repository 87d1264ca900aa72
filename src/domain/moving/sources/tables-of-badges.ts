import { invalid, quoted } from "#foundation/errors.js";
import { isHardToGuess } from "../../credentials/aliases/alias.js";
import { readBareUuid } from "../../credentials/find-uuid.js";
import { type Export, type ExportedCredential, type ExportFiles, onlyCredentials } from "../export.js";
import { type Fields, momentOf, requiredMoment, requiredText, textIn } from "../fields.js";
import { type ColumnHeadings, readNamedRows } from "../tables.js";
import { uuidOfCode } from "../uuid-of-code.js";

interface TableOptions {
  readonly columns?: Readonly<Record<string, string>> | undefined;
}

/** Column names in Accredible's API and spreadsheets. Issuers choose the columns of an export. */
const accredibleColumns: ColumnHeadings = {
  code: ["Credential UUID", "UUID", "credential.uuid"],
  id: ["Credential ID", "credential.id", "id"],
  url: ["Credential URL", "url", "credential.url"],
  name: ["Recipient Name", "recipient.name", "name"],
  email: ["Recipient Email", "recipient.email", "email"],
  group: ["Group Name", "group.name", "Group", "group_name", "Group ID", "group.id"],
  issued: ["Issued On", "credential.issued_on", "issued_on", "Issue Date"],
  expires: ["Expired On", "credential.expired_on", "expired_on", "Expiry Date"],
};

export function readAccredible(files: ExportFiles, options: TableOptions): Promise<Export> {
  const required = ["code", "name", "email", "group", "issued"];
  return readBadgeTables(files, accredibleColumns, required, options, (fields) => {
    const code = requiredText(fields, "code");
    const [, short = code] = /\/([\da-z]{8})\/?(?:[?#].*)?$/.exec(textIn(fields, "url")) ?? [];
    // The code is the credential's number, or random.
    const hasGuessableCode = short !== code && !isHardToGuess(short);
    return {
      ...sharedFields("accredible", code, fields),
      legacyId: textIn(fields, "id"),
      aliases: short === code || hasGuessableCode ? [code] : [code, short],
      hasGuessableCode,
      invalidated: null,
    };
  });
}

/** Column names in Credly's analytics export, as in its glossary. */
const credlyColumns: ColumnHeadings = {
  code: ["Earner Badge ID", "id"],
  id: ["Issuer Earner ID", "issuer_earner_id"],
  group: ["Badge Template ID", "badge_template_id"],
  contextName: ["Badge Name"],
  issuer: ["Issued by"],
  first: ["Issued to First Name", "issued_to_first_name"],
  middle: ["Issued to Middle Name", "issued_to_middle_name"],
  last: ["Issued to Last Name", "issued_to_last_name"],
  email: ["Issued to Email", "recipient_email"],
  status: ["Status", "Badge State", "state"],
  issued: ["Issue Date", "Issued At", "issued_at"],
  expires: ["Expiration Date", "Expires At", "expires_at"],
};

export function readCredly(files: ExportFiles, options: TableOptions): Promise<Export> {
  const required = ["code", "group", "first", "last", "email", "status", "issued"];
  return readBadgeTables(files, credlyColumns, required, options, (fields) => {
    const code = requiredText(fields, "code");
    const status = textIn(fields, "status").toLowerCase();
    if (status === "rejected") return "its learner has rejected it";
    if (!["accepted", "pending", "revoked"].includes(status))
      throw invalid(`Status is ${quoted(status)}; it must be accepted, pending, rejected or revoked.`);
    const names = ["first", "middle", "last"].map((part) => textIn(fields, part));
    return {
      ...sharedFields("credly", code, fields),
      userFullName: names.filter((part) => part !== "").join(" "),
      learningContextName: textIn(fields, "contextName"),
      issuer: textIn(fields, "issuer"),
      legacyId: code,
      aliases: [code],
      invalidated: status === "revoked" ? { reason: "", at: null } : null,
    };
  });
}

async function readBadgeTables(
  files: ExportFiles,
  columns: ColumnHeadings,
  required: readonly string[],
  { columns: stated }: TableOptions,
  read: (fields: Fields) => ExportedCredential | string,
): Promise<Export> {
  const names = files.names.filter((name) => /\.(?:csv|xlsx|tsv|txt)$/i.test(name));
  if (names.length === 0) throw invalid("There is no CSV file.");
  const tables = await Promise.all(
    names.map(async (name) => ({ name, rows: await readNamedRows(files, name, columns, required, stated) })),
  );
  return onlyCredentials(async function* () {
    for (const { name, rows } of tables) {
      for (const { number, text, fields } of rows) {
        const location = `${names.length > 1 ? `${name}, ` : ""}row ${number}`;
        yield { number, location, text, read: () => read(fields) };
      }
    }
  });
}

function sharedFields(source: string, code: string, fields: Fields) {
  return {
    verifyUuid: readBareUuid(code) ?? uuidOfCode(source, code),
    uuid: "",
    learner: { email: requiredText(fields, "email") },
    userFullName: textIn(fields, "name"),
    context: requiredText(fields, "group"),
    issuer: "",
    createdAt: requiredMoment("the date of issue", textIn(fields, "issued")),
    validUntil: momentOf("the date of expiry", textIn(fields, "expires")),
    file: [`${code}.pdf`],
  };
}
