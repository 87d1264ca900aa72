import { describe, expect, test } from "vitest";
import { parseSmtpUrl } from "#infrastructure/email/smtp-url.js";

const plain = {
  host: "mail.example.org",
  port: undefined,
  secure: false,
  requireTls: false,
  verifiesCertificate: true,
  auth: undefined,
};
const auth = { user: "ada@example.org", pass: "p:@/%" };

describe("SMTP_URL", () => {
  test.each([
    ["smtp://mail.example.org", plain],
    ["smtp://mail.example.org:25/", { ...plain, port: 25 }],
    ["smtp://[::1]:25", { ...plain, host: "::1", port: 25 }],
    ["smtps://mail.example.org", { ...plain, secure: true }],
    ["smtp://mail.example.org?requireTLS=true", { ...plain, requireTls: true }],
    ["smtp://mail.example.org?tls.rejectUnauthorized=false", { ...plain, verifiesCertificate: false }],
    ["smtp://ada%40example.org:p%3A%40%2F%25@mail.example.org", { ...plain, requireTls: true, auth }],
    ["smtp://ada%40example.org:p%3A%40%2F%25@mail.example.org?requireTLS=false", { ...plain, auth }],
  ])("%s is read", (text, server) => {
    expect(parseSmtpUrl(text)).toEqual(server);
  });

  test.each([
    "",
    "mail.example.org:25",
    "http://mail.example.org",
    "smtp://",
    "smtp://:25",
    "smtp://mail.example.org:99999",
    "smtp://mail.example.org/path",
    "smtp://mail.example.org#fragment",
    "smtp://mail.example.org?requiretls=true",
    "smtp://mail.example.org?requireTLS=yes",
    "smtp://mail.example.org?requireTLS=true&requireTLS=false",
    "smtp://mail.example.org?logger=true",
    "smtp://mail.example.org?disableFileAccess=false",
    "smtp://ada:50%@mail.example.org",
  ])("%j is refused", (text) => {
    expect(() => parseSmtpUrl(text)).toThrow(/^(must|may) have|^must be a URL/);
  });

  test.each(["smtp://ada:p4ss@mail?p4ss=p4ss", "smtp://ada:p4ss@", "smtp://ada:p4ss%@mail"])(
    "%s is refused without a word of its password",
    (text) => {
      expect(() => parseSmtpUrl(text)).toThrow();
      expect(() => parseSmtpUrl(text)).not.toThrow("p4ss");
    },
  );
});
