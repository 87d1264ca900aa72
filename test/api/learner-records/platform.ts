import type { MessageInitShape } from "@bufbuild/protobuf";
import { type TimestampSchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type {
  CompletionSchema,
  CourseGradeSchema,
  CourseSchema,
  EnrollmentSchema,
  LearnerSchema,
  LearningPathSchema,
  RecordSchema,
  SubsectionGradeSchema,
} from "#gen/learning_credentials/v1/record_pb.js";
import { given } from "../../support/given.js";
import { startTestService, tokenOf } from "../../support/service.js";

export interface RecordInit {
  kind?: NonNullable<MessageInitShape<typeof RecordSchema>["kind"]>;
  deleted?: boolean;
  observeTime?: MessageInitShape<typeof TimestampSchema>;
}
type Records = Client<typeof LearnerRecordService>;

export const COURSE = "course-v1:Uni+C1+2026";
export const PATH = "path-v1:Uni+P1+2026+a";
export const NOON = Date.UTC(2026, 0, 15, 12);

/** A service, and a platform that sends it records over gRPC and HTTP. */
export type Platform = Awaited<ReturnType<typeof openPlatform>>;

export const givenPlatform = () => given(openPlatform, ({ service }) => service.stop());

async function openPlatform() {
  const service = await startTestService();
  const token = await tokenOf({ username: "lms", service: "write" });
  const grpc = createGrpcTransport({
    baseUrl: `http://${service.grpcAddress}`,
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${token}`);
        return next(request);
      },
    ],
  });
  const records: Records = service.client(LearnerRecordService, token);
  const transports: Record<"Connect" | "gRPC", Records> = {
    Connect: records,
    gRPC: createClient(LearnerRecordService, grpc),
  };

  async function isStored(username: string): Promise<boolean> {
    const { rows } = await service.app.database.knex.raw("select from learners where username = ?", [
      username,
    ]);
    return rows.length === 1;
  }

  return { service, token, records, transports, isStored };
}

export const attributes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, "value"]));
export const learner = (username: string, more: MessageInitShape<typeof LearnerSchema> = {}): RecordInit => ({
  kind: { case: "learner", value: { username, fullName: "Ana Kovač", ...more } },
});
export const course = (more: MessageInitShape<typeof CourseSchema> = {}): RecordInit => ({
  kind: { case: "course", value: { courseKey: COURSE, displayName: "Course One", ...more } },
});
export const path = (more: MessageInitShape<typeof LearningPathSchema> = {}): RecordInit => ({
  kind: { case: "learningPath", value: { pathKey: PATH, displayName: "Path One", ...more } },
});
export const enrollment = (
  username: string,
  more: MessageInitShape<typeof EnrollmentSchema> = {},
): RecordInit => ({
  kind: { case: "enrollment", value: { username, learningContextKey: COURSE, ...more } },
});
export const grade = (
  username: string,
  more: MessageInitShape<typeof SubsectionGradeSchema> = {},
): RecordInit => ({
  kind: {
    case: "subsectionGrade",
    value: {
      username,
      courseKey: COURSE,
      usageKey: "exam",
      assignmentType: "Exam",
      earned: 9,
      possible: 10,
      ...more,
    },
  },
});
export const completion = (
  username: string,
  more: MessageInitShape<typeof CompletionSchema> = {},
): RecordInit => ({
  kind: { case: "completion", value: { username, courseKey: COURSE, percent: 0.5, ...more } },
});
export const courseGrade = (
  username: string,
  more: MessageInitShape<typeof CourseGradeSchema> = {},
): RecordInit => ({
  kind: { case: "courseGrade", value: { username, courseKey: COURSE, percent: 0.5, passed: true, ...more } },
});
export const policy = (...entries: [string, number][]) =>
  course({ gradingPolicy: entries.map(([assignmentType, weight]) => ({ assignmentType, weight })) });
export const observed = (record: RecordInit, ms: number, more: RecordInit = {}): RecordInit => ({
  ...record,
  observeTime: timestampFromMs(ms),
  ...more,
});

let users = 0;
export const newUsername = () => `user-${++users}`;

export async function* each<T>(...items: T[]): AsyncIterable<T> {
  yield* items;
}

export async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await call.then(
      () => new Error("the call succeeded"),
      (error: unknown) => error,
    ),
  );
}
