/** The parts that tests use of independent verifiers without types. */
declare module "@digitalbazaar/vc" {
  export function verifyCredential(options: object): Promise<{ verified: boolean; error?: unknown }>;
}
declare module "@digitalbazaar/data-integrity" {
  export class DataIntegrityProof {
    constructor(options: object);
  }
}
declare module "@digitalbazaar/eddsa-rdfc-2022-cryptosuite" {
  export const cryptosuite: object;
}
declare module "@digitalbazaar/vc-bitstring-status-list" {
  export function checkStatus(
    options: object,
  ): Promise<{ verified: boolean; results?: { status: boolean }[]; error?: unknown }>;
  export function decodeList(options: {
    encodedList: string;
  }): Promise<{ length: number; getStatus(index: number): boolean }>;
}
