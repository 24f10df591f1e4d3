import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

const perPage = 100;

export const organizationRecord = (o: OrganizationId) =>
  reading({ organization: o, noun: "organization", id: o }, "GET /api/v1/organizations/{id}", { params: { id: o } });

export const organizationActions = (o: OrganizationId) =>
  reading({ organization: o, noun: "members" }, "GET /api/v1/organizations/{id}/actions", { params: { id: o } });

export const memberPage = (o: OrganizationId, page: number) =>
  reading({ organization: o, noun: "members" }, "GET /api/v1/organizations/{id}/members", {
    params: { id: o },
    query: { per_page: perPage, page },
  });

export const memberActions = (o: OrganizationId, userId: number) =>
  reading({ organization: o, noun: "members" }, "GET /api/v1/organizations/{id}/members/{userId}/actions", {
    params: { id: o, userId },
  });

export const invitations = (o: OrganizationId) =>
  reading({ organization: o, noun: "invitations" }, "GET /api/v1/organizations/{id}/invitations", {
    params: { id: o },
    query: { per_page: perPage },
  });
