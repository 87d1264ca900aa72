import { expect, it } from "vitest";
import type { Export, ExportedCredential, ExportFiles } from "#domain/moving/export.js";
import { readCustomcert } from "#domain/moving/sources/moodle-customcert.js";
import { readAccredible } from "#domain/moving/sources/tables-of-badges.js";

const fileOf = (name: string, text: string): ExportFiles => ({
  names: [name],
  async *chunks() {
    yield Buffer.from(text);
  },
});

async function credentialsIn(exported: Export): Promise<(ExportedCredential | string)[]> {
  const found = [];
  for await (const row of exported.rows()) found.push(row.read());
  return found;
}

it.each([
  ["r358j69n", ["r358j69n"], false],
  ["10000005", [], true],
  ["aaaa1111", [], true],
])(
  "the code %s in Accredible's address is kept only if it is hard to guess",
  async (code, kept, isLeftOut) => {
    const uuid = "28e5cf3f-2121-4886-8ced-f9bb07f6bdb1";
    const headings = "Credential UUID,Credential URL,Recipient Name,Recipient Email,Group Name,Issued On";
    const row = `${uuid},https://www.credential.net/${code},Gil Antunes,gil@uni.test,Management,2024-02-10`;
    const file = fileOf("credentials.csv", `${headings}\n${row}\n`);
    expect(await credentialsIn(await readAccredible(file, {}))).toMatchObject([
      { verifyUuid: uuid, aliases: [uuid, ...kept], hasGuessableCode: isLeftOut },
    ]);
  },
);

it("the name of a certificate in Moodle is not taken for the name of its course", async () => {
  const issue = {
    issue: { id: 41, customcertid: 5, code: "aB3dE5fG7h", timecreated: 1716192930 },
    user: { id: 141, fullname: "Ada King", username: "ada" },
    template: { id: 2, name: "Certificate of completion" },
  };
  const [credential] = await credentialsIn(
    await readCustomcert(fileOf("issues.json", JSON.stringify([issue]))),
  );
  expect(credential).toMatchObject({ context: "5", userFullName: "Ada King" });
  expect(credential).not.toHaveProperty("learningContextName");
});
