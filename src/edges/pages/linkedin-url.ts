import { type Day, dayOf } from "#foundation/calendar/day.js";
import { plainLine } from "#foundation/text/plain-line.js";

interface LinkedInFacts {
  readonly credentialType: string;
  readonly learningContextName: string;
  /** Empty if unknown. */
  readonly organizationName: string;
  readonly issued: Date;
  /** The last day on which the credential is valid; null if it never expires. */
  readonly lastDay: Day | null;
  readonly timeZone: string;
  readonly verifyUrl: string;
  readonly verifyUuid: string;
}

/** Returns the URL that adds a certification to a LinkedIn profile (https://addtoprofile.linkedin.com). */
export function linkedInUrl(facts: LinkedInFacts): string {
  const { year, month } = dayOf(facts.issued, facts.timeZone);
  const organizationName = plainLine(facts.organizationName);
  const query = new URLSearchParams({
    startTask: "CERTIFICATION_NAME",
    name: `${plainLine(facts.credentialType)}: ${plainLine(facts.learningContextName)}`,
    ...(organizationName !== "" && { organizationName }),
    issueYear: String(year),
    issueMonth: String(month),
    ...(facts.lastDay && {
      expirationYear: String(facts.lastDay.year),
      expirationMonth: String(facts.lastDay.month),
    }),
    certUrl: facts.verifyUrl,
    certId: facts.verifyUuid,
  });
  return `https://www.linkedin.com/profile/add?${query}`;
}
