import { createPrivateKey } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { startInstalledPostgres } from "../../support/installed-postgres.js";
import { startTestService, tokenOf } from "../../support/service.js";

const SECRET = "the only secret by which the keys in this dump can be read";
const postgres = await startInstalledPostgres();
afterAll(() => postgres?.stop());

test.skipIf(!postgres)(
  "a dump of the database contains neither the issuers' private keys nor the secret",
  async () => {
    const url = (await postgres?.create()) ?? "";
    const service = await startTestService({
      signs: true,
      settings: { DATABASE_URL: url, SETTINGS_SECRET: SECRET },
    });
    try {
      const { setIssuer } = service.client(
        AdministrationService,
        await tokenOf({ username: "ops", service: "write" }),
      );
      const uni = { organisation: "Uni", name: "University of the Harbour" };
      const { etag } = await setIssuer(uni);
      expect(await setIssuer({ ...uni, replacesKeys: true, etag })).toMatchObject({ keyCount: 4 });
      const keys = service.app.signingKeys?.of("Uni")?.all ?? [];
      expect(keys).toHaveLength(4);
      const dump = (await postgres?.dumpAsSql(url)) ?? "";
      for (const { fragment } of keys) expect(dump).toContain(fragment);
      expect(dump).toContain(uni.name);
      const { storedSettings, database } = service.app;
      const pems = (await storedSettings.list(database.knex, "issuer")).flatMap((each) =>
        Object.values(storedSettings.reveal(each)),
      );
      expect(pems).toHaveLength(4);
      for (const pem of pems) {
        const privateKey = createPrivateKey(pem);
        const { d = "" } = privateKey.export({ format: "jwk" });
        const der = privateKey.export({ format: "der", type: "pkcs8" });
        const raw = Buffer.from(d, "base64url");
        expect(raw.length).toBe(32);
        for (const bytes of [raw, der])
          for (const encoding of ["base64", "base64url", "hex"] as const) {
            // The last characters of Base64 depend on the bytes that follow.
            const text = bytes.toString(encoding).replace(/=+$/, "").slice(0, -2);
            expect(dump.includes(text)).toBe(false);
          }
      }
      expect(dump).not.toMatch(/PRIVATE KEY|"d":/);
      for (const word of [
        SECRET,
        Buffer.from(SECRET).toString("base64").slice(0, 40),
        Buffer.from(SECRET).toString("hex"),
      ])
        expect(dump.includes(word)).toBe(false);
    } finally {
      await service.stop();
    }
  },
);
