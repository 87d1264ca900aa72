import type { CredentialFacts } from "#formats/rendering/generator.js";

/** The facts of an ordinary credential. */
export const ada: CredentialFacts = {
  userFullName: "Ada Lovelace",
  learningContextName: "Foundations of Data Science",
  credentialType: "Certificate of Achievement",
  created: new Date("2026-01-15T10:30:00Z"),
  issueDate: "January 15, 2026",
  verifyUuid: "8f14e45f-ceea-467f-a0e6-0c2f5e2e9a11",
  verifyUrl: "https://credentials.example.org/verify/8f14e45f-ceea-467f-a0e6-0c2f5e2e9a11/",
  platformName: "Northwind Academy",
  language: "en",
};
