import { EventEmitter, once } from "node:events";
import type { DescService } from "@bufbuild/protobuf";
import { mount } from "#api/pipeline/pipeline.js";
import { Problem } from "#foundation/errors.js";
import { Health, HealthCheckResponse_ServingStatus as Serving } from "#gen/health/v1/health_pb.js";
import { Access } from "#gen/learning_credentials/options/v1/options_pb.js";

export function createHealth(services: readonly DescService[]) {
  const names = ["", ...services.map(({ typeName }) => typeName)];
  const changes = new EventEmitter().setMaxListeners(0);
  let current = Serving.SERVING;

  return {
    mount: mount(
      Health,
      {
        async check({ service }) {
          if (!names.includes(service)) throw new Problem("not-found", "There is no such service.");
          return { status: current };
        },

        async list() {
          return { statuses: Object.fromEntries(names.map((name) => [name, { status: current }])) };
        },

        async *watch({ service }, { signal }) {
          for (let sent: Serving | undefined; ; ) {
            const status = names.includes(service) ? current : Serving.SERVICE_UNKNOWN;
            if (status !== sent) yield { status };
            sent = status;
            // The status may have changed while the last response was being sent.
            if (!names.includes(service) || current === sent) await once(changes, "change", { signal });
          }
        },
      },
      Access.PUBLIC,
    ),
    /** Sets the status of the server and of all services. The initial status is SERVING. */
    setServing(isServing: boolean): void {
      current = isServing ? Serving.SERVING : Serving.NOT_SERVING;
      changes.emit("change");
    },
  };
}
