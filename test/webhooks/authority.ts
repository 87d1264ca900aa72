import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The certificate and the key of a server. */
export interface ServerIdentity {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for one test. */
export interface Authority {
  /** The path of its certificate. */
  readonly file: string;
  /** @param until the end of validity, as `YYMMDDHHMMSSZ`. Default: ten years from now */
  issue(name: string, until?: string): ServerIdentity;
  remove(): void;
}

const CONFIG = `
[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
`;

export function createAuthority(): Authority {
  const cwd = mkdtempSync(join(tmpdir(), "learning-credentials-authority-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  writeFileSync(join(cwd, "ca.conf"), CONFIG);
  writeFileSync(join(cwd, "index.txt"), "");
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.crt",
    "-subj",
    "/CN=Test authority",
    "-days",
    "9",
  );
  let issued = 0;
  return {
    file: join(cwd, "ca.crt"),
    issue(name, until = "350101000000Z") {
      const at = `${++issued}`;
      const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
      openssl("req", ...key, "-keyout", `${at}.key`, "-out", `${at}.csr`, ...subject);
      const dates = ["-startdate", "200101000000Z", "-enddate", until];
      const signing = ["-config", "ca.conf", "-cert", "ca.crt", "-keyfile", "ca.key", "-batch", "-notext"];
      openssl("ca", ...signing, ...dates, "-in", `${at}.csr`, "-out", `${at}.crt`);
      const read = (ending: string) => readFileSync(join(cwd, `${at}.${ending}`), "utf8");
      return { cert: read("crt"), key: read("key") };
    },
    remove: () => rmSync(cwd, { recursive: true, force: true }),
  };
}

/** Creates a certificate that no authority has signed. */
export function selfSigned(name: string): ServerIdentity {
  const cwd = mkdtempSync(join(tmpdir(), "learning-credentials-self-signed-"));
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key"];
  execFileSync("openssl", ["req", "-x509", ...key, "-out", "crt", ...subject], { cwd, stdio: "pipe" });
  const identity = {
    cert: readFileSync(join(cwd, "crt"), "utf8"),
    key: readFileSync(join(cwd, "key"), "utf8"),
  };
  rmSync(cwd, { recursive: true });
  return identity;
}
