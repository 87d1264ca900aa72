/** The fields of a Kubernetes object that are checked here. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes
  readonly spec: any;
}

/** The packages that have the schemas of objects, by the group of their API. */
const schemas: Readonly<Record<string, string>> = {
  "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
  "keda.sh": "@kubernetes-models/keda",
  "postgresql.cnpg.io": "@kubernetes-models/cloudnative-pg",
};

/** Returns a copy of an object, and adds the paths of all its fields to `unread`. Reading a field removes its path. */
function watched<T>(value: T, unread: Set<string>, path = ""): T {
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.entries(value).map(([name, field]) => {
    unread.add(`${path}/${name}`);
    return [name, watched(field, unread, `${path}/${name}`)];
  });
  return new Proxy(Array.isArray(value) ? copy.map(([, field]) => field) : Object.fromEntries(copy), {
    get(target, name, receiver) {
      unread.delete(`${path}/${String(name)}`);
      return Reflect.get(target, name, receiver);
    },
  });
}

/**
 * Checks an object against the schema of its API. The schema accepts unknown fields, which are found because the
 * validator doesn't read them.
 * @returns the paths of fields that the schema doesn't know
 * @throws if a field is missing or has a wrong value
 */
export async function unknownFields(
  manifest: object & Pick<Manifest, "apiVersion" | "kind">,
): Promise<string[]> {
  const { apiVersion, kind } = manifest;
  const schema = schemas[apiVersion.split("/")[0] ?? ""] ?? "kubernetes-models";
  const { [kind]: Model } = await import(`${schema}/${apiVersion}/${kind}`);
  const unread = new Set<string>();
  Model.prototype.validate.call(watched(manifest, unread));
  return [...unread];
}
