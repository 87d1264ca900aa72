/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds since 1970. */
const [FIRST, LAST] = [-62_135_596_800n, 253_402_300_799n];

/** Returns whether the values are a valid `google.protobuf.Timestamp`, with less than a second in `nanos`. */
export function isTimestamp({ seconds, nanos }: { seconds: bigint; nanos: number }): boolean {
  return seconds >= FIRST && seconds <= LAST && nanos >= 0 && nanos <= 999_999_999;
}
