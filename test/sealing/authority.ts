import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { listen, shut } from "../support/listen.js";

const execute = promisify(execFile);

/** openssl's options for kinds of keys. */
export const KINDS = {
  "RSA-2048": ["-newkey", "rsa:2048"],
  "RSA-3072": ["-newkey", "rsa:3072"],
  "P-256": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
} as const;

export type Kind = keyof typeof KINDS;

export const SEALER = "Registry of Harbour Light";

/** The certificate and key of a seal, in PEM files. */
export interface SealFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate authority of openssl. Poppler is configured to trust its certificates. */
export interface Authority {
  readonly directory: string;
  readonly caFile: string;
  /** The directory of the trust store, in the form for `pdfsig -nssdir`. */
  readonly nss: string;
  /** @param extensions lines of openssl's configuration. Undefined for those of a seal */
  issue(
    name: string,
    kind: Kind,
    options?: { extensions?: string; subject?: string; days?: [from: string, to: string] },
  ): Promise<SealFiles>;
  /** Issues the certificate of a seal for the request `<name>.csr` in the directory. */
  answer(name: string): Promise<Pick<SealFiles, "certFile">>;
  /** Issues the certificate of a timestamp authority, and returns the configuration for `openssl ts`. */
  issueTsa(name: string): Promise<string>;
  remove(): Promise<void>;
}

const SEAL = "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,nonRepudiation";
const TSA =
  "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping";

export async function openAuthority({ nss: wantsNss = false } = {}): Promise<Authority> {
  const directory = await mkdtemp(join(tmpdir(), "seal-authority-"));
  const openssl = (...args: string[]) => execute("openssl", args, { cwd: directory });
  const at = (name: string) => join(directory, name);
  await openssl(
    ...["req", "-x509", ...KINDS["P-256"], "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "3650"],
    ...["-subj", "/O=Test Authority/CN=Test Root", "-addext", "keyUsage=critical,keyCertSign,cRLSign"],
  );
  const nss = `sql:${at("nss")}`;
  if (wantsNss) {
    await mkdir(at("nss"));
    await execute("certutil", ["-N", "-d", nss, "--empty-password"]);
    await execute("certutil", ["-A", "-d", nss, "-n", "root", "-t", "CT,C,C", "-i", at("ca.pem")]);
  }
  await writeFile(
    at("ca.cnf"),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${at("index")}\nnew_certs_dir=${directory}\nrand_serial=yes\ndefault_md=sha256\nunique_subject=no\npolicy=any\n[any]\nO=optional\nCN=supplied\n`,
  );
  await writeFile(at("index"), "");

  async function answer(name: string, extensions = SEAL, days?: readonly [from: string, to: string]) {
    await writeFile(at(`${name}.ext`), extensions);
    await openssl(
      ...["ca", "-batch", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key"],
      ...["-extfile", `${name}.ext`, "-in", `${name}.csr`, "-out", `${name}.pem`, "-notext"],
      ...(days ? ["-startdate", days[0], "-enddate", days[1]] : ["-days", "365"]),
    );
    return { certFile: at(`${name}.pem`) };
  }

  const issue: Authority["issue"] = async (name, kind, { extensions, days, subject = "" } = {}) => {
    await openssl(
      ...["req", "-new", ...KINDS[kind], "-nodes", "-keyout", `${name}.key`, "-out", `${name}.csr`],
      ...["-subj", subject || `/O=Harbour Light Academy/CN=${name === "tsa" ? "Test TSA" : SEALER}`, "-utf8"],
    );
    return { ...(await answer(name, extensions, days)), keyFile: at(`${name}.key`) };
  };

  return {
    directory,
    caFile: at("ca.pem"),
    nss,
    issue,
    answer,
    async issueTsa(name) {
      const { certFile, keyFile } = await issue(name, "P-256", { extensions: TSA });
      await writeFile(
        at(`${name}.cnf`),
        `[tsa]\ndefault_tsa=own\n[own]\nserial=${at(`${name}.serial`)}\nsigner_cert=${certFile}\nsigner_key=${keyFile}\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\ness_cert_id_alg=sha256\ncerts=${at("ca.pem")}\n`,
      );
      await writeFile(at(`${name}.serial`), "01");
      return at(`${name}.cnf`);
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

/** A timestamp authority that uses `openssl ts`, over HTTP. */
export interface Tsa {
  readonly url: string;
  requests: number;
  /** Responds instead of the honest authority if it is set. */
  instead?: ((request: Buffer, response: ServerResponse) => void | Promise<void>) | undefined;
  /** Returns the response of `openssl ts` to this request. */
  honest(request: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openTsa(directory: string, config: string): Promise<Tsa> {
  const tsa: Tsa = { url: "", requests: 0, honest, close: () => shut(server) };
  async function honest(request: Buffer): Promise<Buffer> {
    const name = join(directory, `query-${randomUUID()}`);
    await writeFile(name, request);
    const args = ["ts", "-reply", "-config", config, "-queryfile", name];
    return (await execute("openssl", args, { encoding: "buffer" })).stdout;
  }
  const server = createServer(async (request, response) => {
    tsa.requests++;
    const body = await buffer(request);
    if (tsa.instead) return tsa.instead(body, response);
    response.setHeader("content-type", "application/timestamp-reply").end(await honest(body));
  });
  return Object.assign(tsa, { url: `http://127.0.0.1:${await listen(server)}/tsa` });
}
