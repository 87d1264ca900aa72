/** An environment variable that looks like a setting but isn't one. */
interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant, because its name is similar. */
  readonly meant?: string;
}

/** Settings of earlier releases that no longer have an effect, and why. */
const retired: Readonly<Record<string, string>> = {
  DATABASE_REPLICA_URL: "since 1.1.0, verification reads from DATABASE_URL alone",
};

/** @returns the variables that are set but no longer have an effect */
export function retiredSettings(
  variables: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly because: string }[] {
  return Object.entries(retired).flatMap(([setting, because]) =>
    [setting, `${setting}_FILE`].filter((name) => variables[name]).map((name) => ({ name, because })),
  );
}

/** Prefixes that few other programs use. OTEL_ belongs to OpenTelemetry. */
const PREFIXES = [
  "LEARNING_CREDENTIALS_",
  "AUTH_JWT_",
  "DATABASE_",
  "LTI_",
  "OIDC_",
  "S3_",
  "SMTP_",
  "TLS_",
  "WEBHOOK_",
];

/** Variables that look like a setting but belong to OpenSSL. */
const FOREIGN_VARIABLES = ["SSL_CERT_FILE"];

/** A shorter name can resemble a setting by chance, so no setting is suggested for it. */
const MIN_NAME_LENGTH = 7;
const MAX_DISTANCE = 2;

/**
 * Finds misspelt settings among the environment variables.
 * @param allNames the names of all settings
 */
export function unknownSettings(
  variables: Readonly<Record<string, string | undefined>>,
  allNames: readonly string[],
): UnknownSetting[] {
  const names = Object.keys(variables);
  const services = names.flatMap((name) => /^(.+)_SERVICE_HOST$/.exec(name)?.[1] ?? []);
  // Kubernetes sets variables for its services in each container. One of these services may have this program's name.
  const ofKubernetes = (name: string) =>
    services.some((service) => name.startsWith(`${service}_SERVICE_`) || name.startsWith(`${service}_PORT`));
  return names
    .filter(
      (name) =>
        !allNames.includes(name) &&
        !(name.replace(/_FILE$/, "") in retired) &&
        !FOREIGN_VARIABLES.includes(name) &&
        !ofKubernetes(name),
    )
    .flatMap((name) => {
      const meant =
        name.length < MIN_NAME_LENGTH ? undefined : (withoutFile(name, allNames) ?? nearest(name, allNames));
      if (meant !== undefined) return [{ name, meant }];
      return PREFIXES.some((prefix) => name.startsWith(prefix)) ? [{ name }] : [];
    });
}

/** Returns the name without `_FILE`, if it then names a setting. Only secrets can be given in files. */
function withoutFile(name: string, allNames: readonly string[]): string | undefined {
  return allNames.find((each) => name === `${each}_FILE`);
}

function nearest(name: string, allNames: readonly string[]): string | undefined {
  const [best] = allNames
    .map((each) => ({ each, wrong: distance(name, each) }))
    .filter(({ wrong }) => wrong <= MAX_DISTANCE)
    .sort((a, b) => a.wrong - b.wrong);
  return best?.each;
}

/**
 * Returns how many letters must be added, removed, replaced or swapped with the next one to get from one name to the
 * other (optimal string alignment). Returns infinity if there are more than `most`.
 */
function distance(one: string, other: string, most = MAX_DISTANCE): number {
  if (one === other) return 0;
  if (most === 0 || Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  let same = 0;
  while (one[same] === other[same]) same++;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwap = a[0] === b[1] && a[1] === b[0];
  const rests: [string, string][] = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
    ...(isSwap ? [[a.slice(2), b.slice(2)] satisfies [string, string]] : []),
  ];
  return 1 + Math.min(...rests.map(([left, right]) => distance(left, right, most - 1)));
}
