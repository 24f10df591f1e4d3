import type { Static } from "typebox";
import type { ServiceCredentials, ServiceList } from "./schema.ts";

// Examples in the documentation of the API.

export const service: Static<typeof ServiceList>["data"][number] = {
  name: "postgresql",
  label: "PostgreSQL",
  version: "17.6",
  ports: [5432],
  state: "active",
  has_credentials: true,
};

export const credentials: Static<typeof ServiceCredentials>["data"] = {
  host: "127.0.0.1",
  port: 5432,
  database: "longshore",
  username: "longshore",
  password: "correct horse battery staple",
};
