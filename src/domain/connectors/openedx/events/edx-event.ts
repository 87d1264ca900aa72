import type { Hint } from "../../../learners/connector-hints.js";
import { type AvroReader, createAvroReader } from "./avro-reader.js";

const readers: Readonly<Record<string, (avro: AvroReader) => Hint | undefined>> = {
  "org.openedx.learning.course.enrollment.created.v1": enrollment,
  "org.openedx.learning.course.enrollment.changed.v1": enrollment,
  "org.openedx.learning.course.unenrollment.completed.v1": enrollment,
  "org.openedx.learning.course.passing.status.updated.v1": passingStatus,
  "org.openedx.learning.auth.session.login.completed.v1": account,
  "org.openedx.learning.student.registration.completed.v1": account,
  "org.openedx.analytics.tracking.event.emitted.v1": trackingLog,
};

/** Maximum size of an event. Events usually have about a kilobyte. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * Returns the hint in an event, or `undefined` if the event is not about a learner. An event is never used as a fact,
 * because events may be lost, duplicated, out of order, or sent before a change that is rolled back.
 * @throws Error if the event can't be decoded, or is too large
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

/**
 * Reads a hint from a tracking log. The learner is in `data`. The user in `context` may be someone who graded the
 * learner.
 */
function trackingLog(avro: AvroReader): Hint | undefined {
  avro.string(); // name
  avro.string(); // timestamp
  const data: { user_id?: unknown; course_id?: unknown } = JSON.parse(avro.string());
  const externalId = String(data.user_id ?? "");
  if (!/^\d{1,18}$/.test(externalId)) return undefined;
  return { username: "", externalId, courseKey: typeof data.course_id === "string" ? data.course_id : "" };
}
