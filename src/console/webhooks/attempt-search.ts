/** What the address of an endpoint says about its list of attempts. */
export interface AttemptSearch {
  readonly failures?: "yes";
  readonly page?: string;
}

/** Reads an address. What it can't mean is left out. */
export function readAttemptSearch({ failures, page }: Record<string, unknown>): AttemptSearch {
  return {
    ...(failures === "yes" && { failures }),
    ...(typeof page === "string" && page !== "" && page.length <= 500 && { page }),
  };
}
