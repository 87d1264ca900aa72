import { expect, test } from "vitest";
import { variableNames } from "#runtime/settings/config.js";
import { retiredSettings, unknownSettings } from "#runtime/settings/unknown-settings.js";

const find = (...names: string[]) =>
  unknownSettings(Object.fromEntries(names.map((name) => [name, "x"])), variableNames);

test.each([
  ["PLATFORM_NAM", "PLATFORM_NAME"],
  ["PLATFORM_NMAE", "PLATFORM_NAME"],
  ["PUBLIC_ULR", "PUBLIC_URL"],
  ["TRUSTED_PROXY", undefined],
  ["SIGNING_KEY_FILE", "SIGNING_KEY_FILES"],
  ["AUTH_JWT_SECRETS", "AUTH_JWT_SECRET"],
  ["DATABASE_URL_FILES", "DATABASE_URL_FILE"],
  ["PUBLIC_URL_FILE", "PUBLIC_URL"],
])("%s is recognised as a misspelling of %s", (name, meant) => {
  expect(find(name)).toEqual(meant === undefined ? [] : [{ name, meant }]);
});

test("an unknown name with one of our prefixes is reported without a guess", () => {
  expect(find("LEARNING_CREDENTIALS_COLOUR", "OIDC_REALM")).toEqual([
    { name: "LEARNING_CREDENTIALS_COLOUR" },
    { name: "OIDC_REALM" },
  ]);
});

test("settings, their files, and variables of other programs are not reported", () => {
  const others =
    "HOME PATH POST TZ LANG LANGUAGE HOSTNAME PORT HTTP_PROXY SSL_CERT_FILE NODE_ENV OTEL_SERVICE_NAME PGHOST DEBUG";
  expect(find(...variableNames, ...others.split(" "))).toEqual([]);
});

test("variables that Kubernetes sets for a service of this name are not reported", () => {
  const names = "SERVICE_HOST SERVICE_PORT SERVICE_PORT_HTTP PORT PORT_80_TCP PORT_80_TCP_ADDR".split(" ");
  expect(find(...names.map((name) => `LEARNING_CREDENTIALS_${name}`))).toEqual([]);
});

test("a setting of an earlier release, and its file, are reported with the reason, and not as misspelt", () => {
  const variables = { DATABASE_REPLICA_URL_FILE: "/run/secrets/replica", DATABASE_REPLICA_URL: "" };
  expect(retiredSettings(variables)).toEqual([
    { name: "DATABASE_REPLICA_URL_FILE", because: "since 1.1.0, verification reads from DATABASE_URL alone" },
  ]);
  expect(find(...Object.keys(variables))).toEqual([]);
});
