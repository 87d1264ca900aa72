// A plug-in of an institution that keeps its keys in a vault. A vault is a server that signs, but never returns a key.
import { request } from "node:http";

export const signers = [
  {
    name: "academy.signers.vault",
    summary: "Keys in the academy's vault, by path of its socket and name of the key.",
    async open(reference) {
      const { publicKey } = JSON.parse(String(await call(reference, "GET")));
      return { publicKey, sign: (bytes) => call(reference, "POST", bytes) };
    },
  },
];

function call(reference, method, body) {
  const [socketPath, key] = reference.split("#");
  return new Promise((resolve, reject) => {
    const requested = request({ socketPath, path: `/${key}`, method, agent: false }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        answer.statusCode === 200
          ? resolve(Buffer.concat(chunks))
          : reject(new Error(`the vault answers ${answer.statusCode}`)),
      );
    });
    requested.on("error", reject);
    requested.end(body);
  });
}
