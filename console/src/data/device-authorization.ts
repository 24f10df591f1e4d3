import { reading } from "./cache.ts";

/** A program that waits for a token under the code that it shows. */
export const deviceAuthorization = (userCode: string) =>
  reading(
    { organization: null, noun: "device_authorization", id: userCode },
    "GET /api/v1/device-authorizations/{userCode}",
    { params: { userCode } },
  );
