/** Encodes a number in Avro like the event bus of Open edX, without a schema. */
function long(value: number): Buffer {
  let rest = BigInt(value) << 1n;
  const bytes: number[] = [];
  do {
    const next = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? next | 0x80 : next);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([long(bytes.length), bytes]);
}

const no = Buffer.from([0]);
const yes = Buffer.from([1]);

export function user(id: number, username: string, email: string, name: string): Buffer {
  return Buffer.concat([long(id), yes, text(username), text(email), text(name)]);
}

export function enrollmentMessage(who: Buffer, courseKey: string): Buffer {
  return Buffer.concat([who, text(courseKey), text(""), no, no, text("audit"), yes, text("2026-01-01"), no]);
}

export function passingMessage(who: Buffer, courseKey: string): Buffer {
  return Buffer.concat([yes, text(courseKey), text(""), no, no, who]);
}

export function trackingMessage(name: string, data: object): Buffer {
  return Buffer.concat([text(name), text("2026-01-01"), text(JSON.stringify(data)), text("{}")]);
}
