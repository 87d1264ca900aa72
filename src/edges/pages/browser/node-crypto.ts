/** What browsers are given in place of `node:crypto`: the canonical form of a document needs hashes at once, and they have none. */

const ROUND_CONSTANTS = constants();

/** SHA-256 of a text in UTF-8, in lower-case hexadecimal (FIPS 180-4). */
export function hash(algorithm: "sha256", text: string): string {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not known here`);
  const state = Uint32Array.of(
    ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
  );
  const message = padded(new TextEncoder().encode(text));
  for (let at = 0; at < message.byteLength; at += 64) compress(state, message, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const message = new DataView(new ArrayBuffer(length));
  new Uint8Array(message.buffer).set(bytes);
  message.setUint8(bytes.length, 0x80);
  message.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  message.setUint32(length - 4, (bytes.length * 8) >>> 0);
  return message;
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, message: DataView, at: number): void {
  const words = new Uint32Array(64);
  const word = (index: number) => words[index] ?? 0;
  for (let i = 0; i < 64; i++) {
    if (i < 16) words[i] = message.getUint32(at + 4 * i);
    else {
      const [early, late] = [word(i - 15), word(i - 2)];
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[i] = word(i - 16) + first + word(i - 7) + second;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (ROUND_CONSTANTS[i] ?? 0) + word(i);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + value;
}

/** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
function constants(): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Uint32Array.from(primes, (prime) => Number(cubeRoot(BigInt(prime) << 96n) & 0xffffffffn));
}

/** Rounded down. */
function cubeRoot(value: bigint): bigint {
  let [low, high] = [0n, 1n << 36n];
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** 3n <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}
