import { shorten } from "#foundation/shorten.js";
import { isNameOfPlatforms } from "#infrastructure/identity/actors.js";
import type { RecordPage } from "../driver/driver.js";

const MAX_NAME = 255;
const MAX_TITLE = 1_000;
const MAX_POINTS = 1e9;
const MIN_POINTS = 0.000001;

/** Leaves out values that the database can't store. The records themselves are checked later. */
export function storable(page: RecordPage): RecordPage {
  const leftOut: Record<string, number> = { ...page.leftOut };
  const only = <T>(what: string, all: readonly T[] | undefined, holds: (one: T) => boolean) => {
    if (!all) return {};
    const usable = all.filter(holds);
    if (usable.length < all.length) leftOut[`${what} that can't be stored`] = all.length - usable.length;
    return { [what]: usable };
  };
  return {
    ...page,
    ...only(
      "contexts",
      page.contexts,
      ({ contextKey, externalId, displayName }) =>
        isName(contextKey) && isName(externalId) && isText(displayName, MAX_TITLE),
    ),
    ...only("people", page.people, ({ externalId, username }) => isName(externalId) && isOwnName(username)),
    ...only(
      "gone",
      page.gone,
      ({ username, since }) => isOwnName(username) && !Number.isNaN(since.getTime()),
    ),
    ...only(
      "subsections",
      page.subsections,
      ({ usageKey, assignmentType }) => isName(usageKey) && isText(assignmentType, MAX_NAME),
    ),
    ...(page.possible && {
      possible: new Map(
        [...page.possible].filter(
          ([key, points]) => isName(key) && (points === 0 || points >= MIN_POINTS) && points <= MAX_POINTS,
        ),
      ),
    }),
    ...(page.withheld !== undefined && {
      withheld: shorten(page.withheld.replace(/\p{Cc}/gu, ""), MAX_TITLE),
    }),
    ...(Object.keys(leftOut).length > 0 && { leftOut }),
  };
}

/** Returns whether a username may belong to a platform's account. Some usernames are reserved for LTI platforms. */
function isOwnName(text: string): boolean {
  return isName(text) && !isNameOfPlatforms(text);
}

/** Returns whether the database can store a text as a username or key. */
export function isName(text: string): boolean {
  return text !== "" && isText(text, MAX_NAME);
}

function isText(text: string, max: number): boolean {
  return text.length <= max && !/\p{Cc}/u.test(text);
}
