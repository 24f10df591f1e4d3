import { useQuery } from "@tanstack/react-query";
import type { Account, AllowedHere } from "../../../contract/types.ts";
import { mayEver, type Permission } from "../api/actions.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";
import { useOrganizationId } from "./organization.ts";

/** The account, and what it may do in the organization. */
export const me = (organization: OrganizationId | null) => reading({ organization, noun: "me" }, "GET /api/v1/me");

export const useAccount = (): Account | undefined => useQuery(me(useOrganizationId())).data?.data;

/** Why nothing is sent to an address of mail, in the API's words; undefined if it is. */
export const useWhyNoMail = (): string | undefined =>
  useAccount()?.sends_mail === false
    ? "This installation cannot send mail: its operator has not set LONGSHORE_SMTP_URL."
    : undefined;

export const useAllowed = (): AllowedHere | null | undefined => useAccount()?.organization;

/** Whether the role of the account ever allows it in this organization. */
export const useMay = (permission: Permission): boolean => mayEver(useAllowed(), permission);
