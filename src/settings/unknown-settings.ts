/** An environment variable that looks like a setting, and is none. */
export interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant, if one has nearly the same name. */
  readonly meant?: string;
}

/** Other programs hardly use these. OTEL_ is OpenTelemetry's. */
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

/** Nearly a setting's name, and OpenSSL's: where a machine keeps its certificate authorities. */
const OF_OTHERS = ["SSL_CERT_FILE"];

/** Two wrong letters of a short name make it another program's. */
const SHORTEST = 7;
const MOST_WRONG = 2;

/**
 * Finds misspelt settings among the environment variables.
 * @param known the names of all settings
 */
export function unknownSettings(
  variables: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): UnknownSetting[] {
  const names = Object.keys(variables);
  const services = names.flatMap((name) => /^(.+)_SERVICE_HOST$/.exec(name)?.[1] ?? []);
  // Kubernetes tells each container of services, and one is named like this program.
  const ofKubernetes = (name: string) =>
    services.some((service) => name.startsWith(`${service}_SERVICE_`) || name.startsWith(`${service}_PORT`));
  return names
    .filter((name) => !known.includes(name) && !OF_OTHERS.includes(name) && !ofKubernetes(name))
    .flatMap((name) => {
      const meant = name.length < SHORTEST ? undefined : (withoutFile(name, known) ?? nearest(name, known));
      if (meant !== undefined) return [{ name, meant }];
      return PREFIXES.some((prefix) => name.startsWith(prefix)) ? [{ name }] : [];
    });
}

/** Only secrets may lie in files. */
function withoutFile(name: string, known: readonly string[]): string | undefined {
  return known.find((each) => name === `${each}_FILE`);
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter(({ length }) => Math.abs(length - name.length) <= MOST_WRONG)
    .map((each) => ({ each, wrong: distance(name, each) }))
    .filter(({ wrong }) => wrong <= MOST_WRONG)
    .sort((a, b) => a.wrong - b.wrong);
  return best?.each;
}

/**
 * The fewest letters to add, remove, replace or swap with the next one (optimal string alignment); infinite if they are
 * more than `MOST_WRONG`.
 */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const costs = [row];
    for (let column = 1; column <= other.length; column++) {
      const [above = [], twoAbove = []] = [rows[row - 1], rows[row - 2]];
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      costs.push(
        Math.min(
          Number(above[column]) + 1,
          Number(costs[column - 1]) + 1,
          Number(above[column - 1]) + (isSame ? 0 : 1),
          isSwap && row > 1 && column > 1 ? Number(twoAbove[column - 2]) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    if (Math.min(...costs) > MOST_WRONG) return Number.POSITIVE_INFINITY; // it only rises from here
    rows.push(costs);
  }
  return Number(rows[one.length]?.[other.length]);
}
