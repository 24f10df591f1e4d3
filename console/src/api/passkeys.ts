import { ApiError } from "./errors.ts";

// Passkeys of the browser (WebAuthn). The server's options and the browser's answers are JSON on both ways.

export interface PageOrigin {
  isSecureContext: boolean;
  hostname: string;
  /** Whether the browser has passkeys, and takes them as JSON. */
  isKnown: boolean;
}

const thisPage = (): PageOrigin => ({
  isSecureContext: globalThis.isSecureContext,
  hostname: location.hostname,
  isKnown: "PublicKeyCredential" in globalThis && "parseRequestOptionsFromJSON" in PublicKeyCredential,
});

/** Why no passkey works on this page, in a sentence; undefined: they work. */
export function whyNoPasskeys({ isSecureContext, hostname, isKnown }: PageOrigin = thisPage()): string | undefined {
  if (isAddress(hostname)) return "Passkeys need a domain name, and this page has an IP address.";
  if (!isSecureContext) return "Passkeys need https, and this page has no TLS.";
  return isKnown ? undefined : "This browser has no passkeys.";
}

const isAddress = (hostname: string): boolean => hostname.startsWith("[") || /^[\d.]+$/.test(hostname);

/** Whether the browser offers passkeys in the list of a field, beside passwords. */
export const canFillPasskeys = async (): Promise<boolean> =>
  whyNoPasskeys() === undefined && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** Asks the browser for a new passkey. Undefined when the person cancels. */
export const createPasskey = (options: Record<string, unknown>): Promise<Record<string, unknown> | undefined> =>
  answerOf(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );

export interface PasskeyRequest {
  signal: AbortSignal;
  /** In the list of a field, not in a window. */
  isFilled: boolean;
}

/** Asks for a passkey of this site. Undefined when the person cancels, or the signal aborts. */
export const askForPasskey = (
  options: Record<string, unknown>,
  { signal, isFilled }: PasskeyRequest,
): Promise<Record<string, unknown> | undefined> =>
  answerOf(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
      signal,
      ...(isFilled && { mediation: "conditional" }),
    }),
  );

async function answerOf(ask: () => Promise<Credential | null>): Promise<Record<string, unknown> | undefined> {
  try {
    const credential = (await ask()) as PublicKeyCredential | null;
    return credential?.toJSON() as unknown as Record<string, unknown> | undefined;
  } catch (error) {
    // Browsers say no more than this, whether it was cancelled or took too long.
    if (error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name)) return undefined;
    throw new ApiError(0, { message: sentenceFor(error) }, null, error);
  }
}

const sentenceFor = (error: unknown): string =>
  error instanceof DOMException && error.name === "InvalidStateError"
    ? "This device has a passkey of the account already."
    : "The browser could not use a passkey here.";
