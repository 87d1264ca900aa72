import { useQuery } from "@connectrpc/connect-query";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { useWords } from "../i18n/words.js";

const roles = { registrar: Role.REGISTRAR, designer: Role.DESIGNER, admin: Role.ADMIN } as const;

/** Queries the caller of this session: the username, the roles and the organisations. */
export function useCaller(isEnabled = true) {
  return useQuery(CallerService.method.getCaller, {}, { staleTime: 60_000, enabled: isEnabled });
}

/** Returns a function that explains why the caller may not do something. The service checks this as well. */
export function useMay(): (role: keyof typeof roles) => string | undefined {
  const { data } = useCaller();
  const { parts } = useWords();
  return (role) => {
    if (!data || data.roles.includes(roles[role])) return undefined;
    return parts.needsRole({ role: parts.roles[role] });
  };
}
