import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { enrolled } from "../support/records.js";
import { codeAndMessage } from "../support/refusal.js";
import { boundedToken, startTestService, type TestService } from "../support/service.js";

const TREES = "learning_credentials.processors.retrieve_requirements";
const PDF = "learning_credentials.generators.generate_pdf_credential";
const FOREIGN = "course-v1:Secret+C1+2026";
const OWN = "course-v1:Uni+C2+2026";

const academy = givenAcademy();

let foreign = { id: 0, credentialTypeId: 0 };
/** A type that staff of all organisations have created. No configuration offers it yet. */
let plainType = 0;
let restricting: TestService;
let bounded: Awaited<ReturnType<typeof clientsOf>>;

/** Opens a second service on the same data, for staff who are restricted to organisations. */
async function clientsOf(organisations: readonly string[]) {
  restricting = await startTestService({
    beside: academy.service,
    settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
  });
  const token = await boundedToken(restricting, organisations);
  return {
    configurations: restricting.client(ConfigurationService, token),
    credentials: restricting.client(CredentialService, token),
    eligibility: restricting.client(EligibilityService, token),
  };
}

afterAll(() => restricting.stop());

const createType = async (name: string, requirements: object) =>
  (
    await academy.configurations.createCredentialType({
      credentialType: {
        name,
        retrievalFunc: TREES,
        generationFunc: PDF,
        customOptions: { requirements } as JsonObject,
      },
    })
  ).id;

const enrol = (username: string, learningContextKey: string) =>
  academy.report(enrolled(username, learningContextKey));

beforeAll(async () => {
  bounded = await clientsOf(["Uni"]);
  await academy.report(
    ...[FOREIGN, OWN].map((courseKey) => ({
      case: "course" as const,
      value: { courseKey, displayName: `Name of ${courseKey}` },
    })),
  );
  foreign = await offerCredential(academy.configurations, FOREIGN, "Foreign", "retrieve_requirements", {
    requirements: { completion: 0 },
  });
  plainType = await createType("Plain", { completion: 0 });
});

describe.each(["creating", "changing", "previewing", "previewing as if of a type"])(
  "a caller restricted to organisations, %s",
  (how) => {
    async function attempt(requirements: object) {
      const customOptions = { requirements } as JsonObject;
      if (how.startsWith("previewing"))
        return codeAndMessage(
          bounded.eligibility.previewEligibility({
            learningContextKey: COURSE,
            retrievalFunc: TREES,
            ...(how === "previewing" ? { customOptions } : { typeOptions: customOptions }),
            username: "ana",
          }),
        );
      const credentialTypeId = await createType(`For ${how} ${JSON.stringify(requirements)}`, {
        completion: 0,
      });
      const client = bounded.configurations;
      if (how === "creating")
        return codeAndMessage(
          client.createCredentialConfiguration({
            credentialConfiguration: { credentialTypeId, learningContextKey: COURSE, customOptions },
          }),
        );
      const { id } = await client.createCredentialConfiguration({
        credentialConfiguration: { credentialTypeId, learningContextKey: COURSE },
      });
      return codeAndMessage(
        client.updateCredentialConfiguration({
          credentialConfiguration: { id, customOptions },
          updateMask: { paths: ["custom_options"] },
        }),
      );
    }

    beforeAll(() => academy.enrol("ana"));

    it.each<[string, () => object]>([
      ["the results of", () => ({ passed: true, course: FOREIGN })],
      ["one run of", () => ({ any: [{ completion: 0 }, { passed: true, runs: [COURSE, FOREIGN] }] })],
      ["a credential in", () => ({ holds: { credential_type_id: plainType }, course: FOREIGN })],
      [
        "a credential in a path of",
        () => ({ holds: { credential_type_id: plainType }, course: "path-v1:Secret+P+1+all" }),
      ],
    ])("can't require %s other organisations", async (_, requirements) => {
      const [code, message] = await attempt(requirements());
      expect(code).toBe("PermissionDenied");
      expect(message).toContain("Secret");
      expect(message).toContain("only staff with access to all organisations can require it");
      expect(message).not.toContain("Name of");
    });

    it("can't require credentials from anywhere", async () => {
      const [code, message] = await attempt({ holds: { credential_type_id: plainType }, anywhere: true });
      expect(code).toBe("PermissionDenied");
      expect(message).toContain("anywhere");
    });

    it("reads the same about a configuration of another organisation as about one that doesn't exist", async () => {
      const [code, message] = await attempt({ holds: { configuration_id: foreign.id } });
      const [otherCode, other] = await attempt({ holds: { configuration_id: 999_999 } });
      expect([code, message.replace(String(foreign.id), "999999")]).toEqual([otherCode, other]);
      expect(message).toContain(`there is no credential configuration ${foreign.id}`);
    });

    it("can require what belongs to its own organisations", async () => {
      const [code] = await attempt({
        all: [
          { passed: true, runs: [COURSE, OWN] },
          { holds: { credential_type_id: plainType }, course: OWN },
        ],
      });
      expect(code).toBeUndefined();
    });
  },
);

describe("what staff of all organisations have required", () => {
  it("can be kept, offered and previewed by restricted staff", async () => {
    const requirements = { any: [{ holds: { configuration_id: foreign.id } }, { completion: 0.5 }] };
    const credentialTypeId = await createType("Declared", requirements);
    const { id } = await bounded.configurations.createCredentialConfiguration({
      credentialConfiguration: { credentialTypeId, learningContextKey: COURSE },
    });
    await bounded.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id,
        customOptions: { requirements: { any: [requirements, { passed: true }] } } as JsonObject,
      },
      updateMask: { paths: ["custom_options"] },
    });
    const preview = await bounded.eligibility.previewEligibility({
      learningContextKey: COURSE,
      retrievalFunc: TREES,
      typeOptions: { requirements } as JsonObject,
    });
    expect(preview.problem).toBe("");
    const own = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: {
        credentialTypeId: await createType("Own", { completion: 0 }),
        learningContextKey: COURSE,
        customOptions: { requirements } as JsonObject,
      },
    });
    const compared = await bounded.eligibility.previewEligibility({
      learningContextKey: COURSE,
      retrievalFunc: TREES,
      customOptions: { requirements: { all: [requirements] } } as JsonObject,
      configurationId: own.id,
    });
    expect(compared.problem).toBe("");
  });
});

describe("errors to a restricted caller", () => {
  it("name no credential of another organisation that requires a deleted one, or closes a circle", async () => {
    const part = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: {
        credentialTypeId: await createType("Part", { completion: 0 }),
        learningContextKey: OWN,
      },
    });
    const whole = await offerCredential(
      academy.configurations,
      FOREIGN,
      "Hidden whole",
      "retrieve_requirements",
      {
        requirements: { holds: { configuration_id: part.id } },
      },
    );
    const [code, message] = await codeAndMessage(
      bounded.configurations.deleteCredentialConfiguration({ id: part.id }),
    );
    expect(code).toBe("FailedPrecondition");
    expect(message).toBe(
      "The requirements of a credential of another organisation require this credential (holds): ask staff of all organisations to change them first.",
    );
    const closing = await createType("Closing", { holds: { configuration_id: whole.id } });
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id: part.id,
        customOptions: { requirements: { holds: { credential_type_id: closing } } },
      },
      updateMask: { paths: ["custom_options"] },
    });
    const [, circle] = await codeAndMessage(
      bounded.configurations.createCredentialConfiguration({
        credentialConfiguration: { credentialTypeId: closing, learningContextKey: OWN },
      }),
    );
    expect(circle).toContain("requires a credential of another organisation requires");
    expect(circle).not.toContain("Hidden whole");
  });
});

describe("a credential that one of another organisation required", () => {
  it("does not say so to restricted staff", async () => {
    const part = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: {
        credentialTypeId: await createType("Held part", { completion: 0 }),
        learningContextKey: OWN,
      },
    });
    const whole = await offerCredential(
      academy.configurations,
      FOREIGN,
      "Secret whole",
      "retrieve_requirements",
      {
        requirements: { holds: { configuration_id: part.id } },
      },
    );
    await academy.enrol("both");
    for (const key of [OWN, FOREIGN]) await enrol("both", key);
    const { uuid } = await academy.made("both", { configurationId: part.id });
    await academy.made("both", { configurationId: whole.id });
    const seen = await academy.credentials.getCredential({ uuid });
    expect(seen.requiredBy.map(({ credentialType }) => credentialType)).toEqual(["Secret whole"]);
    expect((await bounded.credentials.getCredential({ uuid })).requiredBy).toEqual([]);
  });
});
