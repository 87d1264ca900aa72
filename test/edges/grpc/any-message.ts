import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";

/** Encoded messages of this type, some of them with texts that are not UTF-8. */
export function anyMessage(schema: DescMessage, depth: number): fc.Arbitrary<Buffer> {
  const fields = schema.fields.map((field) => anyField(field, depth));
  const unknown = fc.constantFrom(
    [0xf8, 0x07, 0x01], // 127, a varint
    [0xfa, 0x07, 0x02, 0x61, 0x62], // 127, two bytes
    [0xfb, 0x07, 0x08, 0x01, 0xfc, 0x07], // 127, a group
  );
  const parts = fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.oneof(...fields, fc.constant(Buffer.of())) },
      { weight: 1, arbitrary: unknown.map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 8 },
  );
  return parts.map((each) => Buffer.concat(each));
}

function anyField(field: DescField, depth: number): fc.Arbitrary<Buffer> {
  const inner = "message" in field ? field.message : undefined;
  if (inner) {
    if (depth === 0) return fc.constant(Buffer.of());
    return anyMessage(inner, depth - 1).map((bytes) => delimited(field.number, bytes));
  }
  if (field.fieldKind === "map") {
    return fc
      .array(fc.tuple(fc.constantFrom(1, 2, 3), anyText()), { maxLength: 3 })
      .map((entry) => delimited(field.number, Buffer.concat(entry.map(([no, text]) => delimited(no, text)))));
  }
  const scalar = field.enum ? ScalarType.INT32 : field.scalar;
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES)
    return anyText().map((bytes) => delimited(field.number, bytes));
  if (scalar === ScalarType.DOUBLE) {
    return fc.double().map((value) => {
      return Buffer.from(new BinaryWriter().tag(field.number, WireType.Bit64).double(value).finish());
    });
  }
  const varint = fc
    .oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.constantFrom(0n, 1n, 2n, 3n))
    .map((value) => Buffer.from(new BinaryWriter().int64(value).finish()));
  return fc.oneof(
    varint.map((value) => Buffer.concat([tag(field.number, WireType.Varint), value])),
    fc.array(varint, { maxLength: 3 }).map((values) => delimited(field.number, Buffer.concat(values))),
  );
}

function anyText(): fc.Arbitrary<Buffer> {
  return fc.oneof(
    fc.string({ maxLength: 300 }).map((text) => Buffer.from(text)),
    fc.string({ unit: "binary", maxLength: 20 }).map((text) => Buffer.from(text)),
    fc.constantFrom("__proto__", "").map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)), // seldom UTF-8
  );
}

function delimited(number: number, bytes: Uint8Array): Buffer {
  return Buffer.from(new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish());
}

function tag(number: number, wireType: WireType): Buffer {
  return Buffer.from(new BinaryWriter().tag(number, wireType).finish());
}
