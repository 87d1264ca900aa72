import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { settingNames } from "#runtime/settings/config.js";
import { createTestDatabase } from "../support/database.js";
import { type Manifest, unknownFields } from "./kubernetes-schemas.js";
import { ROOT } from "./program.js";

const KUBERNETES = join(ROOT, ".container/kubernetes");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const overlays = readdirSync(join(KUBERNETES, "overlays")).map((name) => `overlays/${name}`);

/** The version of kubectl. Debian's own version is too old, because it contains a kustomize before version 4. */
const version = spawnSync("kubectl", ["version", "--client", "-o", "json"], { encoding: "utf8" }).stdout;
const { major, minor } = version ? JSON.parse(version).clientVersion : { major: "0", minor: "0" };
const renders = Number(major) > 1 || Number.parseInt(minor, 10) >= 21;
if (!renders)
  console.warn("skipped: rendering the manifests for Kubernetes; there is no kubectl 1.21 or later");

function rendered(directory: string): Manifest[] {
  const text = execFileSync("kubectl", ["kustomize", join(KUBERNETES, directory)], { encoding: "utf8" });
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

const podOf = ({ spec }: Manifest) => spec.template.spec;

describe.skipIf(!renders).each(["base", ...overlays])("the manifests of %s", (directory) => {
  const manifests = renders ? rendered(directory) : [];
  const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
  const workloads = ofKind("Deployment", "Job");

  test("name each object once, and refer only to existing objects, or to secrets", () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const workload of workloads) {
      const { containers, volumes } = podOf(workload);
      for (const container of containers) {
        for (const { configMapRef } of container.envFrom ?? [])
          expect(names).toContain(`ConfigMap ${configMapRef.name}`);
        const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
        expect(mounted.sort()).toEqual(volumes.map(({ name }: { name: string }) => name).sort());
      }
      for (const { configMap } of volumes)
        if (configMap) expect(names).toContain(`ConfigMap ${configMap.name}`);
    }
    for (const { spec } of ofKind("HorizontalPodAutoscaler", "ScaledObject"))
      expect(names).toContain(`Deployment ${spec.scaleTargetRef.name}`);
    const labels = workloads.map(({ spec }) => spec.template.metadata.labels);
    for (const { spec } of ofKind("Service", "PodDisruptionBudget", "NetworkPolicy")) {
      const selector = spec.podSelector ?? spec.selector;
      const selected = Object.entries(selector.matchLabels ?? selector);
      expect(labels.filter((each) => selected.every(([name, value]) => each[name] === value))).toHaveLength(
        1,
      );
    }
  });

  test("name existing ports, and give each host to one kind of route", () => {
    const portsOf = (...workloadsOrServices: Manifest[]) =>
      workloadsOrServices.flatMap(({ spec }) => spec.ports ?? spec.template.spec.containers[0].ports ?? []);
    const named = portsOf(...workloads).map(({ name }) => name);
    const targets = ofKind("Service").flatMap(({ spec }) => spec.ports);
    for (const { targetPort } of targets) expect(named).toContain(targetPort);
    const policies = ofKind("NetworkPolicy").flatMap(({ spec }) => spec.ingress ?? []);
    for (const { ports } of policies) for (const { port } of ports) expect(named).toContain(port);
    const routes = ofKind("HTTPRoute", "GRPCRoute");
    for (const { kind, spec } of routes)
      for (const { name, port } of spec.rules[0].backendRefs) {
        const service = ofKind("Service").find(({ metadata }) => metadata.name === name);
        const found = service?.spec.ports.find((each: { port: number }) => each.port === port);
        expect(found?.name).toBe(kind === "HTTPRoute" ? "http" : "grpc");
      }
    const hosts = routes.flatMap(({ spec }) => spec.hostnames);
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(routes).toHaveLength(directory === "overlays/example" ? 2 : 0);
  });

  test("fit the schemas of their APIs", async () => {
    for (const manifest of manifests)
      expect({ manifest, unknown: await unknownFields(manifest) }).toEqual({ manifest, unknown: [] });
    const [deployment] = ofKind("Deployment");
    const { spec } = deployment as Manifest;
    const mistyped = { ...deployment, spec: { ...spec, replica: 2 } } as unknown as Manifest;
    expect(await unknownFields(mistyped)).toEqual(["/spec/replica"]);
    const wrong = { ...deployment, spec: { ...spec, replicas: "two" } } as unknown as Manifest;
    await expect(unknownFields(wrong)).rejects.toThrow("/spec/replicas must be integer");
  });

  test("set only existing settings", () => {
    const variables = ofKind("ConfigMap").flatMap(({ data = {} }) => Object.keys(data));
    const own = workloads.flatMap((workload) => podOf(workload).containers.flatMap(({ env = [] }) => env));
    const settings = [...variables, ...own.map(({ name }) => name)].filter(
      (name) => name !== "pgbouncer.ini",
    );
    expect(settings.length).toBeGreaterThan(10);
    for (const name of settings)
      expect(settingNames).toContain(name.replace(/(?<=URL|SECRET|KEY)_FILE$/, ""));
  });

  test("run without privileges, on a read-only file system", () => {
    for (const workload of workloads) {
      const { automountServiceAccountToken, securityContext, containers } = podOf(workload);
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
        });
        expect(container.resources.limits.memory).toMatch(/^\d+Mi$/);
      }
    }
  });

  test("listen where the image does, and leave time to stop", () => {
    const exposed = read(".container/Containerfile")
      .match(/(?<=^EXPOSE ).*$/m)?.[0]
      .split(" ")
      .map(Number);
    const [settings] = ofKind("ConfigMap").flatMap(({ data = {} }) => (data.SHUTDOWN_DELAY ? [data] : []));
    for (const deployment of ofKind("Deployment").filter(({ metadata }) => metadata.name !== "pgbouncer")) {
      const { containers, terminationGracePeriodSeconds } = podOf(deployment);
      for (const { containerPort } of containers[0].ports) expect(exposed).toContain(containerPort);
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(settings?.SHUTDOWN_DELAY) + 25);
    }
  });
});

test("PgBouncer has the tested settings, also on Kubernetes", () => {
  const settingsOf = (path: string) => read(path).match(/^[a-z_*]+ =.*$/gm);
  const there = settingsOf(".container/kubernetes/overlays/pgbouncer/pgbouncer.ini");
  const tested = settingsOf(".container/pgbouncer.ini");
  expect(there?.filter((line) => !tested?.includes(line))).toEqual([
    "* = host=database port=5432",
    "auth_file = /run/secrets/pgbouncer/userlist.txt",
  ]);
  expect(there).toHaveLength(tested?.length ?? 0);
});

test("KEDA's query counts the waiting jobs", async () => {
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  await migrateUp(db.database);
  const { knex } = db.database;
  await knex.raw(`
    insert into jobs (task, payload, priority, max_attempts, run_at)
    select 'generate_credential', '{}', 0, 5, now() + make_interval(days => n / 4) from generate_series(1, 4) as n`);
  const [scaled] = parseAllDocuments(read(".container/kubernetes/overlays/keda/scaled-worker.yaml"));
  const { rows } = await knex.raw(scaled?.toJS().spec.triggers[0].metadata.query);
  expect(rows).toEqual([{ count: 3 }]);
});
