import { reading } from "./cache.ts";

/** What an invitation is for, by the token of its link. */
export const invitationPreview = (token: string) =>
  reading({ organization: null, noun: "invitation_preview", id: token }, "GET /api/v1/invitations/{token}", {
    params: { token },
  });
