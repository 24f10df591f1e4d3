import { useWrite, type WriteOptions } from "../../../data/write.ts";

type Written =
  | "POST /api/v1/status-pages/{id}/incidents"
  | "PUT /api/v1/status-pages/{id}/incidents/{incidentId}"
  | "DELETE /api/v1/status-pages/{id}/incidents/{incidentId}"
  | "POST /api/v1/status-pages/{id}/incidents/{incidentId}/updates"
  | "PUT /api/v1/status-pages/{id}/incidents/{incidentId}/updates/{updateId}"
  | "DELETE /api/v1/status-pages/{id}/incidents/{incidentId}/updates/{updateId}";

/** Incidents are read with their page, and the list of pages counts those that are open. */
export const useIncidentWrite = <Name extends Written>(name: Name, onDone: () => void) =>
  useWrite(name, { touches: ["status_page", "status_pages"], onDone } as WriteOptions<Name>);
