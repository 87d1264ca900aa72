import { expect, test } from "vitest";
import { describeS3Fault } from "#infrastructure/files/s3/fault.js";

test.each([
  ["CERT_HAS_EXPIRED", "its certificate has expired: renew it"],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "its certificate is for another host name: correct S3_ENDPOINT, or replace the certificate",
  ],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "its certificate is not trusted: replace it, or name its authority's file in NODE_EXTRA_CA_CERTS",
  ],
])("%s is reported with a remedy", (code, reason) => {
  const at = { bucket: "credentials", endpoint: "https://s3.example.org" };
  const fault = describeS3Fault(at, Object.assign(new Error("certificate"), { code }));
  expect(fault.message).toBe(`The bucket credentials at https://s3.example.org can't be used: ${reason}`);
});
