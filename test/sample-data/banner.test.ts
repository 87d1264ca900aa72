import { expect, test } from "vitest";
import { banner } from "#app/sample-data/banner.js";

const facts = {
  publicUrl: "http://127.0.0.1:8080",
  grpcAddress: "127.0.0.1:50051",
  docsUrl: "http://127.0.0.1:8080/api/learning_credentials/v1/docs/",
  signInLink: undefined,
  dataDir: "/srv/data",
  storage: ["database", "files", "emails", "secrets"],
  bucket: undefined,
  sample: undefined,
} as const;

test("lists what the data directory contains, and the URL of the docs", () => {
  const reported = banner(facts);
  expect(reported).toContain(
    "  data      /srv/data   database, files, emails, secrets; delete it to start again from empty\n",
  );
  expect(reported).toContain(
    `  docs      ${facts.docsUrl}   API reference; openapi.json is in the same folder\n`,
  );
  expect(reported).not.toContain("  files ");
});

test("names the bucket in place of a data directory without files", () => {
  const bucket = "bucket credentials at https://s3.example.org";
  const onS3 = banner({ ...facts, storage: ["database", "secrets"], bucket });
  expect(onS3).toContain(`  data      /srv/data   database, secrets\n  files     ${bucket}\n`);
  expect(banner({ ...facts, storage: [], bucket })).not.toContain("/srv/data");
});

test("mentions neither docs nor reflection if the API does not describe itself", () => {
  const reported = banner({ ...facts, docsUrl: undefined });
  expect(reported).not.toContain("docs");
  expect(reported).toContain("  gRPC      127.0.0.1:50051   with health\n");
});

test("has the link that signs in to the console, if there is one", () => {
  const signInLink = "http://127.0.0.1:8080/console/#sign-in=secret";
  expect(banner({ ...facts, signInLink })).toContain(`  console   ${signInLink}   sign-in link: works once`);
  expect(banner(facts)).not.toContain("console");
});
