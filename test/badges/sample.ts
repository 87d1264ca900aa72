import type { BadgeFacts } from "#formats/badges/open-badge.js";

/** The facts of the tests' badge. */
export const facts: BadgeFacts = {
  verifyUuid: "f58a4a10-67c4-42c7-9081-22078fceac85",
  issuer: {
    did: "did:web:credentials.example.org",
    name: "Harbour Light Academy",
    url: "https://credentials.example.org",
    description: null,
    image: null,
    email: null,
  },
  issuedAt: new Date("2026-01-15T10:30:00Z"),
  awardedAt: new Date("2026-01-15T10:30:00Z"),
  validUntil: null,
  holder: { id: "urn:uuid:00000000-0000-4000-8000-000000000001", name: "Ana Kovač", email: null },
  achievement: {
    id: "urn:uuid:00000000-0000-4000-8000-000000000002",
    name: "Reading the Night Sky",
    type: "CertificateOfCompletion",
    description: "Eight weeks on what can be seen without a telescope.",
    criteria: "At least 90 % of the course completed.",
    criteriaUrl: null,
    language: "en",
    tags: [],
    image: null,
    alignments: [],
    creator: null,
    credits: null,
    fieldOfStudy: null,
  },
  results: [],
  held: [],
  credentialType: "Certificate of Completion",
  verifyUrl: "https://credentials.example.org/verify/f58a4a10-67c4-42c7-9081-22078fceac85/",
  status: { listUrl: "https://credentials.example.org/status/0", index: 94_567 },
};

/** The same facts with results, alignments and other optional parts. */
export const richFacts: BadgeFacts = {
  ...facts,
  held: [
    {
      name: "Foundations: Maps of the Sky",
      verifyUrl: "https://credentials.example.org/verify/0a5a6c3e-58c5-4a3c-a4a5-3b3a2f4f9d11/",
    },
  ],
  results: [
    { id: "urn:uuid:1", name: "total", attained: { type: "Percent", percentage: 92.35 } },
    {
      id: "urn:uuid:2",
      name: "letter grade",
      attained: { type: "LetterGrade", letter: "A-", scale: ["A", "A-", "B"] },
    },
    { id: "urn:uuid:3", name: "passed", attained: { type: "Status", passed: true } },
  ],
  achievement: {
    ...facts.achievement,
    criteriaUrl: "https://credentials.example.org/verify/f58a4a10-67c4-42c7-9081-22078fceac85/#criteria",
    tags: ["stars"],
    image: "https://credentials.example.org/star.png",
    alignments: [
      {
        name: "observe celestial objects",
        url: "http://data.europa.eu/esco/skill/00ad1b3d",
        framework: "ESCO",
      },
      {
        name: 'Finds "north" by the stars',
        url: "https://case.example.org/uri/8f6a8c0e",
        description: "Without a compass, on any clear night",
        framework: "Night Sky Competencies",
        code: "NS.1.2",
        type: "CFItem",
      },
    ],
    creator: { name: "Union of Observatories", url: "https://observatories.example.org" },
    credits: 2.5,
    fieldOfStudy: "Astronomy",
  },
};
