import { invalid, quoted } from "#foundation/errors.js";
import { readBareUuid } from "../../credentials/find-uuid.js";
import { type Export, type ExportedCredential, type ExportFiles, onlyCredentials } from "../export.js";
import { type Fields, requiredMoment, requiredText, textIn } from "../fields.js";
import { keyIn, readDump } from "./django-dump.js";

const CERTIFICATE = "certificates.generatedcertificate";

/** Reads the output of `manage.py lms dumpdata certificates.generatedcertificate auth.user`. */
export async function readOpenEdxCertificates(files: ExportFiles): Promise<Export> {
  const usernames = new Map<string, string>();
  let hasCertificates = false;
  for await (const { model, pk, fields } of readDump(files)) {
    if (model === "auth.user") usernames.set(pk, textIn(fields, "username"));
    hasCertificates ||= model === CERTIFICATE;
  }
  if (!hasCertificates)
    throw invalid(
      "The dump has no certificates: export them with manage.py lms dumpdata certificates.generatedcertificate auth.user.",
    );
  return onlyCredentials(async function* () {
    for await (const { number, location, text, model, fields } of readDump(files)) {
      if (model === CERTIFICATE)
        yield { number, location, text, read: () => certificateOf(fields, usernames) };
    }
  });
}

/**
 * Reads a certificate. Only certificates with the status "downloadable" can be verified in Open edX. Withdrawing a
 * certificate clears its code.
 */
function certificateOf(fields: Fields, usernames: ReadonlyMap<string, string>): ExportedCredential | string {
  const status = textIn(fields, "status");
  if (status !== "downloadable") return `its status is ${status || "empty"}: it can't be verified there`;
  const user = keyIn(fields, "user");
  const username = usernames.get(user) ?? (/^\d+$/.test(user) ? undefined : user);
  if (username === undefined || username === "")
    throw invalid(`user is ${quoted(user)}, but the dump has no record of this user: export auth.user, too.`);
  const code = requiredText(fields, "verify_uuid");
  const verifyUuid = readBareUuid(code);
  if (verifyUuid === undefined)
    throw invalid(`verify_uuid is ${quoted(code)}; it must have 32 hexadecimal digits.`);
  const courseKey = requiredText(fields, "course_id");
  const downloadUuid = textIn(fields, "download_uuid");
  return {
    verifyUuid,
    uuid: "",
    legacyId: code,
    aliases: [],
    learner: { username },
    userFullName: textIn(fields, "name"),
    context: courseKey,
    learningContextKey: courseKey,
    issuer: "",
    createdAt: requiredMoment("created_date", textIn(fields, "created_date")),
    validUntil: null,
    invalidated: null,
    file: [`${code}.pdf`, `${verifyUuid}.pdf`, ...(downloadUuid === "" ? [] : [`${downloadUuid}.pdf`])],
  };
}
