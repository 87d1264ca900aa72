import { Code, ConnectError } from "@connectrpc/connect";
import { beforeAll, expect, it } from "vitest";
import { assetParts } from "../assets/asset-parts.js";
import { cmap, triangle, trueType } from "../assets/inspection/make-font.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { readPdf } from "../rendering/read-pdf.js";
import { COURSE, givenAcademy } from "../support/academy.js";

/** Three letters of Vai, a script that none of the service's fonts has. */
const NAME = "ꔀꔁꔂ";
const vai = trueType([Buffer.alloc(0), triangle, triangle, triangle], { cmap: cmap([0xa500, 0xa502, 1]) });

const academy = givenAcademy();
let configurationId: number;

beforeAll(async () => {
  await academy.configurations.uploadAsset(assetParts("vai", vai));
  const { id } = await offerCredential(
    academy.configurations,
    COURSE,
    "Diploma",
    "retrieve_subsection_grades",
    { required_grades: { Exam: 0.5 }, defaults: { font: "vai" } },
  );
  configurationId = id;
  await academy.enrol("momolu");
  await academy.report({ case: "learner", value: { username: "momolu", fullName: NAME } });
});

it("a name that only the institution's font can print can be issued, planned and previewed with that font", async () => {
  const plan = await academy.credentials.startIssuanceRun({ configurationId, dryRun: true });
  expect(plan.plan?.usernames).toEqual(["momolu"]);
  const { uuid, userFullName } = await academy.credentials.issueCredential({
    configurationId,
    username: "momolu",
  });
  expect(userFullName).toBe(NAME);
  await academy.generate(uuid);
  const preview = await academy.configurations.previewCredential({
    source: { case: "configurationId", value: configurationId },
    userFullName: NAME,
  });
  expect((await readPdf(preview.pdf)).text).toContain(NAME);
});

it("without that font it is refused, and the message gives the remedy", async () => {
  const refused = await academy.credentials
    .issueCredential({ configurationId: academy.configurationId, username: "momolu" })
    .catch(ConnectError.from);
  expect(refused).toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringMatching(
      /^No font can print "ꔀ" \(U\+A500\), .* the learner's full name contains\. Upload a font that contains them, and name the font/,
    ),
  });
});

it("capitals that only the institution's font has are printed", async () => {
  const glagolitic = trueType([Buffer.alloc(0), triangle, triangle], {
    cmap: cmap([0x2c00, 0x2c00, 1], [0x2c30, 0x2c30, 2]),
  });
  await academy.configurations.uploadAsset(assetParts("glagolitic", glagolitic));
  const { id } = await offerCredential(
    academy.configurations,
    COURSE,
    "Listina",
    "retrieve_subsection_grades",
    {
      required_grades: { Exam: 0.5 },
      text_elements: { name: { uppercase: true, font: "glagolitic" } },
    },
  );
  const preview = await academy.configurations.previewCredential({
    source: { case: "configurationId", value: id },
    userFullName: "ⰰ",
  });
  expect((await readPdf(preview.pdf)).text).toContain("Ⰰ");
});
