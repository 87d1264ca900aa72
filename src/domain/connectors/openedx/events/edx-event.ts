import type { Hint } from "../../driver/driver.js";
import { type AvroReader, createAvroReader } from "./avro-reader.js";

/** Reads user and course from an event of Open edX. Fields are in the order of the schemas of openedx-events. */
const readers: Readonly<Record<string, (avro: AvroReader) => Hint | undefined>> = {
  "org.openedx.learning.course.enrollment.created.v1": enrollment,
  "org.openedx.learning.course.enrollment.changed.v1": enrollment,
  "org.openedx.learning.course.unenrollment.completed.v1": enrollment,
  "org.openedx.learning.course.passing.status.updated.v1": passingStatus,
  "org.openedx.learning.auth.session.login.completed.v1": account,
  "org.openedx.learning.student.registration.completed.v1": account,
  "org.openedx.analytics.tracking.event.emitted.v1": trackingLog,
};

/** Events usually have about a kilobyte. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * Returns the hint in an event; undefined if it is not about a learner. The event's content is never used as a fact,
 * because events may be lost, duplicated, out of order, or sent before a change that is rolled back.
 * @throws Error if it can't be decoded, or is too large
 */
export function readEdxEvent(type: string, data: Uint8Array): Hint | undefined {
  if (data.length > MAX_MESSAGE_BYTES) throw new RangeError("the message is too large");
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  return read?.(createAvroReader(data));
}

function enrollment(avro: AvroReader): Hint {
  const user = account(avro);
  return { ...user, courseKey: avro.string() };
}

function account(avro: AvroReader): Hint {
  const externalId = String(avro.long());
  avro.boolean(); // is_active
  const username = avro.string();
  avro.string(); // email
  avro.string(); // name
  return { username, externalId, courseKey: "" };
}

function passingStatus(avro: AvroReader): Hint {
  avro.boolean(); // is_passing
  const courseKey = avro.string();
  avro.string(); // display_name
  for (const _ of ["start", "end"]) if (avro.long() === 1) avro.string(); // a union of null and string
  return { ...account(avro), courseKey };
}

/** The learner is in `data`. The user in `context` may be a member of staff who graded the learner. */
function trackingLog(avro: AvroReader): Hint | undefined {
  avro.string(); // name
  avro.string(); // timestamp
  const data: { user_id?: unknown; course_id?: unknown } = JSON.parse(avro.string());
  const externalId = String(data.user_id ?? "");
  if (!/^\d{1,18}$/.test(externalId)) return undefined;
  return { username: "", externalId, courseKey: typeof data.course_id === "string" ? data.course_id : "" };
}
