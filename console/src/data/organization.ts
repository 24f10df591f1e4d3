import { useParams } from "react-router";
import type { OrganizationId } from "../paths.ts";

/** The organization in the address of the page; null: a page outside of organizations. */
export function useOrganizationId(): OrganizationId | null {
  const { organization } = useParams();
  return organization === undefined ? null : Number(organization);
}

/** The same, for pages that are inside of one. */
export const useOrganization = (): OrganizationId => useOrganizationId() ?? Number.NaN;
