import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { caniemail } from "caniemail";
import { expect, test } from "vitest";
import { emailKinds } from "#domain/credentials/emails/compose-email.js";
import type { EmailKind } from "#domain/credentials/emails/email-store.js";
import { sampleEmail } from "#domain/credentials/emails/sample-email.js";
import type { EmailBranding } from "#infrastructure/email/messages/compose-message.js";
import { credentialAvailable } from "#infrastructure/email/messages/credential-emails.js";
import { emailLanguages } from "#infrastructure/email/messages/languages.js";
import { testEmail } from "#infrastructure/email/messages/test-email.js";
import { webhookDisabled } from "#infrastructure/email/messages/webhook-disabled.js";

const branding: EmailBranding = {
  name: "Faculty",
  accent: { color: "#123456", ink: "#ffffff" },
  contact: "https://faculty.example",
  imprintUrl: "https://faculty.example/imprint",
  logo: { kind: "png", bytes: new Uint8Array(1) },
};
const texts = { subject: "", heading: "", introduction: "" };
const settings = { platformName: "Academy", language: "en", timeZone: "UTC" };
const link = "https://credentials.example.org/";

/** Emails about credentials, by kind and language: the samples, and one with everything that samples leave out. */
const aboutCredentials = emailLanguages.all.flatMap(({ tag }) => [
  ...(Object.keys(emailKinds) as EmailKind[]).map((kind) => {
    const sample = { kind, language: tag, branding, ownWords: "Well done!", texts, settings };
    return [`${kind}, ${tag}`, sampleEmail(sample, new Date())] as const;
  }),
  [
    `replacement, ${tag}`,
    credentialAvailable(
      {
        platformName: "Academy",
        credentialType: "Certificate",
        learningContextName: "Bridges",
        userFullName: "Ana Kovač",
        link,
        page: link,
        wallet: link,
        picture: new Uint8Array(1),
        isReplacement: true,
        branding,
      },
      [tag],
    ),
  ] as const,
]);

const others = {
  testEmail: testEmail("Academy", link),
  webhookDisabled: webhookDisabled({
    platformName: "Academy",
    endpointId: "endpoint",
    host: "hooks.example",
    reason: "It is gone.",
  }),
};

// In Outlook for Windows, corners are square and a button is announced as a table. In Outlook for macOS, emails about
// credentials repeat the styles of `body` in their first `div`, and the others set none.
const harmless =
  /^outlook\.windows(?:-mail)?: (?:border-radius|role attribute)$|^outlook\.macos: <body> element$/;

test.each([...aboutCredentials, ...Object.entries(others)])(
  "Gmail, Outlook and Apple Mail support everything in the email %s",
  (_, { html }) => {
    const { issues } = caniemail({ clients: ["gmail.*", "outlook.*", "apple-mail.*"], html });
    const missing = [...issues.errors].flatMap(([client, errors]) =>
      errors.map(({ title }) => `${client}: ${title}`),
    );
    expect(missing.filter((each) => !harmless.test(each))).toEqual([]);
    expect(missing.length).toBeGreaterThan(0);
  },
);

test("no other function composes emails", async () => {
  const folder = join(import.meta.dirname, "../../src/infrastructure/email/messages");
  const sources = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
  );
  const composing = sources.flatMap((source) =>
    [...source.matchAll(/^export function (\w+)\((?:(?!^\}).)*?\): EmailContent \{$/gms)].map(
      ([, name]) => name,
    ),
  );
  expect(composing.toSorted()).toEqual(
    [
      ...["composeMessage", "plainEmail"], // used by the others
      ...["credentialAvailable", "credentialExpiring", "credentialWithdrawn"], // used for samples of all kinds
      ...Object.keys(others),
    ].toSorted(),
  );
});
