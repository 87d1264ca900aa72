import { invalid, quoted } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";
import { isObject } from "#foundation/text/is-object.js";
import { type Export, type ExportedCredential, type ExportFiles, onlyCredentials } from "../export.js";
import { asFields, type Fields, requiredText, textIn, timeOfField } from "../fields.js";
import { parseItem, readJsonItems } from "../json-items.js";
import { readNamedRows } from "../tables.js";
import { uuidOfCode } from "../uuid-of-code.js";

const SOURCE = "moodle-customcert";

/**
 * Reads responses of `mod_customcert_list_issues` (JSON files), or the tables `customcert_issues`, `customcert`, `user`
 * and `course` (CSV files with these names, with or without a prefix such as `mdl_`). Responses don't contain the name
 * of the course, only that of the certificate's template.
 */
export async function readCustomcert(files: ExportFiles): Promise<Export> {
  const answers = files.names.filter((name) => name.endsWith(".json"));
  if (answers.length > 0) return onlyCredentials(() => rowsOfAnswers(files, answers));
  const tables = await readTables(files);
  return onlyCredentials(async function* () {
    for (const { number, text, fields } of tables.issues) {
      yield { number, location: `row ${number}`, text, read: () => issueOf(fields, tables) };
    }
  });
}

async function* rowsOfAnswers(files: ExportFiles, names: readonly string[]) {
  for (const name of names) {
    for await (const { number, text } of readJsonItems(files.chunks(name), name)) {
      const location = `${names.length > 1 ? `${name}, ` : ""}issue ${number}`;
      const answer = asFields(parseItem(text), location);
      if (textIn(answer, "exception") !== "")
        throw invalid(
          `${name} contains an error from Moodle, not a list of issues: ${shorten(textIn(answer, "message"), 200)}.`,
        );
      const { pdf, ...shown } = answer;
      yield { number, location, text: JSON.stringify(shown), read: () => answeredIssue(answer) };
    }
  }
}

function answeredIssue(answer: Fields): ExportedCredential {
  const issue = asFields(answer.issue, "issue");
  const user = asFields(answer.user, "user");
  const pdf = isObject(answer.pdf) ? textIn(answer.pdf, "content") : "";
  return {
    ...credentialOf(requiredText(issue, "code"), textIn(issue, "id"), textIn(issue, "timecreated")),
    learner: { username: requiredText(user, "username") },
    userFullName: textIn(user, "fullname"),
    context: requiredText(issue, "customcertid"),
    ...(pdf !== "" && { file: Buffer.from(pdf, "base64") }),
  };
}

type Tables = Awaited<ReturnType<typeof readTables>>;

async function readTables(files: ExportFiles) {
  const read = async (table: string, columns: readonly string[]) => {
    const [name, ...others] = files.names.filter((each) =>
      new RegExp(`(?:^|/)(?:\\w*_)?${table}\\.csv$`, "i").test(each),
    );
    if (name === undefined)
      throw invalid(
        `There is no ${table}.csv: export the tables customcert_issues, customcert, user and course as CSV with headings, or the responses of mod_customcert_list_issues as JSON.`,
      );
    if (others.length > 0)
      throw invalid(
        `${others.length + 1} files match ${table}.csv: ${[name, ...others].join(", ")}. Keep only one of them.`,
      );
    const named = Object.fromEntries(columns.map((column) => [column, [column]]));
    return readNamedRows(files, name, named, columns);
  };
  const byId = (rows: Awaited<ReturnType<typeof read>>) =>
    new Map(rows.map(({ fields }) => [textIn(fields, "id"), fields]));
  return {
    issues: await read("customcert_issues", ["id", "userid", "customcertid", "code", "timecreated"]),
    certificates: byId(await read("customcert", ["id", "course", "name"])),
    users: byId(await read("user", ["id", "username", "firstname", "lastname"])),
    courses: byId(await read("course", ["id", "fullname", "shortname"])),
  };
}

function issueOf(fields: Fields, { certificates, users, courses }: Tables): ExportedCredential {
  const missing = (column: string, table: string) =>
    invalid(`${column} is ${quoted(textIn(fields, column))}, but ${table}.csv has no row with this id.`);
  const user = users.get(textIn(fields, "userid"));
  if (!user) throw missing("userid", "user");
  const certificate = certificates.get(textIn(fields, "customcertid"));
  if (!certificate) throw missing("customcertid", "customcert");
  const course = courses.get(textIn(certificate, "course")) ?? {};
  return {
    ...credentialOf(requiredText(fields, "code"), textIn(fields, "id"), textIn(fields, "timecreated")),
    learner: { username: requiredText(user, "username") },
    userFullName: `${textIn(user, "firstname")} ${textIn(user, "lastname")}`.trim(),
    context: requiredText(fields, "customcertid"),
    learningContextName: textIn(course, "fullname"),
  };
}

function credentialOf(code: string, id: string, timeCreated: string) {
  return {
    verifyUuid: uuidOfCode(SOURCE, code),
    uuid: "",
    legacyId: id,
    aliases: [code],
    issuer: "",
    createdAt: timeOfField("timecreated", timeCreated),
    validUntil: null,
    invalidated: null,
    file: [`${code}.pdf`],
  };
}
