import { Type } from "typebox";
import { Value } from "typebox/value";
import type { CloudAnswer } from "../call.ts";
import type { CloudError, OrderField } from "../driver.ts";
import { errorOf, failed, foreignAnswer, type Meaning, readRefusal, wait } from "../refusals.ts";

export const label = "Hetzner Cloud";

// The codes: https://docs.hetzner.cloud/reference/cloud#errors.
const Refusal = Type.Object({
  error: Type.Object({ code: Type.String(), message: Type.String(), details: Type.Optional(Type.Unknown()) }),
});
const FieldDetails = Type.Object({ fields: Type.Array(Type.Object({ name: Type.String() })) });

const meanings: Record<string, Meaning> = {
  unauthorized: { field: "credentials", sentence: "refused the token: it is wrong or was revoked" },
  token_readonly: {
    field: "credentials",
    sentence: "refused the token: it may only read, and needs the permission Read & Write",
  },
  forbidden: { field: "credentials", sentence: "does not permit this with the token" },
  resource_limit_exceeded: { field: "server_type", sentence: "refused: a limit of the project is reached" },
  resource_unavailable: { field: "location", sentence: "has no capacity for this type there at present" },
  placement_error: { field: "location", sentence: "has no capacity for this type there at present" },
  no_space_left_in_location: { field: "location", sentence: "has no space left there" },
  incompatible_network_type: { field: "network" },
  server_error: failed,
  bad_gateway: failed,
  timeout: failed,
  unavailable: failed,
  maintenance: wait(60_000),
  rate_limit_exceeded: wait(1_000),
  conflict: wait(500),
  locked: wait(2_000),
  // Until the server that uses it is deleted.
  resource_in_use: wait(10_000),
  must_be_unassigned: wait(10_000),
  server_not_stopped: wait(10_000),
};

const inputFields: Record<string, OrderField> = {
  server_type: "server_type",
  location: "location",
  image: "image",
  networks: "network",
  firewalls: "firewall",
  name: "name",
};

/** The refusal in an answer, its code as `cause`; undefined for a success. */
export function refusalIn({ status, headers, text }: CloudAnswer): CloudError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const refusal = readRefusal(Refusal, text);
  if (refusal === undefined) return foreignAnswer(label, { status });
  const { code, message, details } = refusal.error;
  const meaning = meanings[code] ?? (status >= 500 ? failed : {});
  const fields = Value.Check(FieldDetails, details) ? details.fields : [];
  const field = fields.map(({ name }) => inputFields[name.split(".")[0] ?? ""]).find((each) => each !== undefined);
  // One call is refilled each second; the reset time is when the whole hour's calls are back.
  const isEmpty = code === "rate_limit_exceeded" && headers.get("ratelimit-remaining") === "0";
  return errorOf(
    { label, code, message, isMissing: code === "not_found" },
    { field, ...meaning, ...(isEmpty && wait(2_000)) },
  );
}
