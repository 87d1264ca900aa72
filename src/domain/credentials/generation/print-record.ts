import { formatLongDay } from "#formats/rendering/design/format-date.js";
import type { ListDocument } from "#formats/rendering/design/list-document.js";
import type { Renderer } from "#formats/rendering/engine/renderer.js";
import type { Language } from "#foundation/languages/languages.js";
import { languagesOf } from "#foundation/languages/languages.js";
import type { SignedRecord } from "../badges/make-record.js";
import type { Credential } from "../credential.js";
import { lastMomentOf } from "../validity/end-of-validity.js";
import { verifyShortUrl, verifyUrl } from "../verify-url.js";
import { newSeal, type SealingDeps } from "./seal-document.js";

/**
 * Makes a PDF of a learner record. The PDF lists the record's credentials and has `record.json` attached. If the
 * service seals documents, the PDF is sealed, too. The PDF is not stored.
 * @throws errors of the renderer and the seal
 * @param language BCP 47 tag; the service's language replaces an unsupported one
 */
export type PrintRecord = (
  record: SignedRecord,
  language: string,
  signal: AbortSignal,
) => Promise<Uint8Array>;

interface PrintDeps extends Pick<SealingDeps, "openSeals"> {
  readonly renderer: Pick<Renderer, "list">;
  readonly settings: {
    readonly platformName: string;
    readonly timeZone: string;
    readonly language: string;
  };
  readonly publicUrl: string;
}

const languages = languagesOf("page");

export function createPrintRecord({ renderer, openSeals, settings, publicUrl }: PrintDeps): PrintRecord {
  return async (record, language, signal) => {
    const words = languages.choose([language, settings.language]);
    const seal = await newSeal(openSeals, undefined);
    const list = listOf(record, { ...settings, words, publicUrl });
    const pdf = await renderer.list({ ...list, ...(seal && { seal: seal.slot }) }, signal);
    return seal ? (await seal.close(pdf)).bytes : pdf;
  };
}

interface Wording {
  readonly words: Language<"page">;
  readonly platformName: string;
  readonly timeZone: string;
  readonly publicUrl: string;
}

function listOf(record: SignedRecord, { words, platformName, timeZone, publicUrl }: Wording): ListDocument {
  const { names, validFrom, validUntil, credentials, isPartial } = record;
  const holder = new Intl.ListFormat(words.tag, { type: "unit" }).format(names);
  const day = (date: Date) => formatLongDay(date, { timeZone, locale: words.tag });
  const about = {
    date: day(validFrom),
    lastDay: day(lastMomentOf(validUntil)),
    platformName,
  };
  const factsOf = ({ credentialType, userFullName, createdAt, validUntil, printSettings }: Credential) => [
    [
      // The right-to-left mark keeps the direction of lines that begin with a foreign word.
      words.direction === "rtl" ? `\u200F${credentialType}` : credentialType,
      `${words.issued}${words.colon}${day(createdAt)}`,
      ...(validUntil ? [`${words.validUntil}${words.colon}${day(lastMomentOf(validUntil))}`] : []),
    ].join(" · "),
    `${words.issuer}${words.colon}${printSettings.issuer?.name ?? printSettings.platformName}`,
    ...(names.length > 1 ? [`${words.holder}${words.colon}${userFullName}`] : []),
  ];
  return {
    title: words.learnerRecord,
    introduction: [
      `${words.holder}${words.colon}${holder}`,
      words.learnerRecordMeans(about),
      ...(isPartial ? [words.learnerRecordPartial] : []),
    ],
    entries: credentials.map((credential) => ({
      heading: credential.learningContextName.replace(/\s*[\r\n]+\s*/g, " "),
      lines: factsOf(credential),
      link: {
        text: verifyShortUrl(publicUrl, credential.verifyUuid),
        url: verifyUrl(publicUrl, credential.verifyUuid),
      },
    })),
    rightToLeft: words.direction === "rtl",
    metadata: {
      title: `${words.learnerRecord} – ${holder}`,
      subject: platformName,
      keywords: publicUrl,
      language: words.tag,
      created: validFrom,
    },
    attachment: {
      name: "record.json",
      mediaType: "application/vc",
      description: "Comprehensive Learner Record 2.0",
      modified: validFrom,
      bytes: Buffer.from(record.json),
    },
  };
}
