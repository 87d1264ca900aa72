import { CLIENT_SECRET } from "./fake-open-edx.js";
import { type FaultyServer, type ReceivedRequest, type Reply, startFaultyServer } from "./faulty-server.js";
import type { OneRosterSite, SiteClass, SiteEnrolment, SiteItem, SiteStudent } from "./oneroster-site.js";

export interface FakeOneRoster extends FaultyServer {
  /** Scopes that the client lacks, by their last part. */
  readonly lacking: Set<"roster" | "gradebook">;
  /** Whether the provider refuses requests for tokens that name scopes. */
  refusesScopes: boolean;
  /** The accepted access token. */
  token: string;
  /**
   * How lists are paged. `plain`: without a total and links; `links`: with links only; `total`: with a total and wrong
   * links; `blank`: with links and an empty total.
   */
  pages: "plain" | "links" | "total" | "blank";
}

/**
 * A provider that behaves like these sources (repository, commit, file, class or function):
 * - 1.1: torleifg/oneroster-v1-rest-provider, 0e465fce:
 *   - `web/ClazzController.java` ClazzController, `web/OrgController.java` OrgController and
 *     `web/response/ApiResponse.java` ApiResponse: Lists have a total. Every page, including the last one, has a next
 *     link, whose offset counts pages instead of rows.
 *   - `domain/LineItem.java` LineItem: The smallest and the largest value are in a nested object.
 *   - `domain/Enrollment.java` Enrollment: Enrolments have no dates.
 * - 1.2: Ed-Fi-Alliance-OSS/edfi-oneroster, 0ff8e060, `src/controllers/unified/oneRosterController.js`
 *   doOneRosterEndpointMany: the wrappers and the errors. Lists have neither a total nor links. The fields for
 *   preferred names are those of a draft. There are no lists by class, so the fake's lists follow the specification.
 * - 1.2: caseywschmid/timeback-package, 6c871486, `timeback/docs/oneroster/gradebook/create_result_for_line_item.md`:
 *   `textScore`, `inProgress` and `incomplete`
 */
export async function startFakeOneRoster(
  site: OneRosterSite,
  version: "1.1" | "1.2" = "1.2",
): Promise<FakeOneRoster> {
  const switches: Omit<FakeOneRoster, keyof FaultyServer> = {
    lacking: new Set(),
    refusesScopes: false,
    token: "token-1",
    pages: version === "1.1" ? "total" : "plain",
  };
  const roots =
    version === "1.1"
      ? ["/ims/oneroster/v1p1/", "/ims/oneroster/v1p1/"]
      : ["/ims/oneroster/rostering/v1p2/", "/ims/oneroster/gradebook/v1p2/"];
  const GRADEBOOK = /^(categories|classes\/[^/]+\/(lineItems|results))$/;
  const server: FakeOneRoster = Object.assign(
    await startFaultyServer((received) =>
      received.url.pathname === "/oauth2/token" ? tokenFor(received) : answer(received),
    ),
    switches,
  );
  return server;

  function tokenFor({ form, authorization, url }: ReceivedRequest): Reply {
    const basic = `Basic ${Buffer.from(`credentials:${CLIENT_SECRET}`).toString("base64")}`;
    if (authorization !== basic || url.searchParams.get("appName") !== "lc")
      return { status: 401, body: { error: "invalid_client" } };
    if (form.has("scope") && server.refusesScopes) return { status: 400, body: { error: "invalid_scope" } };
    return { status: 200, body: { access_token: server.token, token_type: "bearer", expires_in: 3600 } };
  }

  function answer({ url, authorization }: ReceivedRequest): Reply {
    if (authorization !== `Bearer ${server.token}`) return failure(401, "unauthorisedrequest");
    const path = decodeURI(url.pathname);
    const root = roots.find((one) => path.startsWith(one));
    if (root === undefined) return failure(404, "unknownobject");
    const rest = path.slice(root.length);
    const isGradebook = GRADEBOOK.test(rest);
    if (version === "1.2" && isGradebook !== root.includes("gradebook")) return failure(404, "unknownobject");
    if (server.lacking.has(isGradebook ? "gradebook" : "roster")) return failure(403, "forbidden");
    const [first, id = "", list, classId, last] = rest.split("/").map(decodeURIComponent);
    const one = site.classes.get(first === "schools" ? (classId ?? "") : id);
    if (first === "academicSessions")
      return page(
        url,
        "academicSessions",
        [...site.terms].map(([sourcedId, endDate]) => ({ ...base(sourcedId), endDate })),
      );
    if (first === "categories")
      return page(
        url,
        "categories",
        [...site.categories].map(([sourcedId, title]) => ({
          ...base(sourcedId, site.deletedCategories.has(sourcedId) ? "tobedeleted" : "active"),
          title,
        })),
      );
    if (first === "classes" && id === "")
      return page(url, "classes", [...site.classes.values()].map(classOf));
    if (!one) return failure(404, "unknownobject");
    if (first === "schools" && last === "enrollments")
      return page(url, "enrollments", one.enrolments.map(enrolmentOf));
    if (list === undefined) return { status: 200, body: { class: classOf(one) } };
    if (list === "students") {
      const ids = new Set(
        one.enrolments.filter(({ role }) => role === "student").map(({ userId }) => userId),
      );
      return page(
        url,
        "users",
        [...ids].flatMap((userId) => userOf(site.users.get(userId))),
      );
    }
    if (list === "lineItems") return page(url, "lineItems", one.items.map(itemOf));
    if (list === "results")
      return page(
        url,
        "results",
        one.results.map(({ itemId, userId, status, ...reported }) => ({
          ...base(`${itemId}-${userId}`, status),
          lineItem: reference(itemId, "lineItem"),
          student: reference(userId, "user"),
          ...reported,
        })),
      );
    return failure(404, "unknownobject");
  }

  function page(url: URL, wrapper: string, all: readonly object[]): Reply {
    const limit = Math.min(100, Number(url.searchParams.get("limit") ?? 100));
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const shown = all.slice(offset, offset + limit);
    const at = (next: number) => `<${url.origin}${url.pathname}?limit=${limit}&offset=${next}>; rel="next"`;
    const headers: Record<string, string> =
      server.pages === "plain"
        ? {}
        : server.pages === "total"
          ? { "x-total-count": String(all.length), link: at(Math.floor(offset / limit) + 1) }
          : offset + limit < all.length
            ? { link: at(offset + limit), ...(server.pages === "blank" && { "x-total-count": "" }) }
            : {};
    return { status: 200, body: { [wrapper]: shown }, headers };
  }

  function classOf({ id, code, title, status, terms }: SiteClass): object {
    return {
      ...base(id, status),
      title,
      classCode: code,
      school: reference("school/1", "org"),
      terms: terms.map((term) => reference(term, "academicSession")),
    };
  }

  function enrolmentOf({ userId, role, status, beginDate, endDate }: SiteEnrolment): object {
    return {
      ...base(`${userId}-${role}`, status),
      user: reference(userId, "user"),
      role,
      ...(beginDate !== undefined && { beginDate }),
      ...(endDate !== undefined && { endDate }),
    };
  }

  function userOf(user: SiteStudent | undefined): object[] {
    if (!user) return [];
    const { id, username, more } = user;
    const roles =
      version === "1.1" ? { role: "student" } : { roles: [{ roleType: "primary", role: "student" }] };
    return [
      {
        ...base(id),
        username,
        enabledUser: version === "1.1" ? "true" : true,
        givenName: `Given ${id}`,
        familyName: "Qvortrup",
        identifier: `S-${id}`,
        email: `${username}@secretmail.example`,
        ...roles,
        ...more,
      },
    ];
  }

  function itemOf({ id, title, categoryId, most, status }: SiteItem): object {
    const values = { resultValueMin: 0, resultValueMax: most };
    return {
      ...base(id, status),
      title,
      ...(categoryId !== undefined && { category: reference(categoryId, "category") }),
      ...(version === "1.1" ? { resultValue: values } : values),
    };
  }
}

function base(sourcedId: string, status = "active"): object {
  return { sourcedId, status, dateLastModified: "2026-01-01T00:00:00.000Z" };
}

function reference(sourcedId: string, type: string): object {
  return { href: `https://sis.example/${type}/${sourcedId}`, sourcedId, type };
}

function failure(status: number, minor: string): Reply {
  const body = { imsx_codeMajor: "failure", imsx_severity: "error", imsx_codeMinor: minor };
  return { status, body };
}
