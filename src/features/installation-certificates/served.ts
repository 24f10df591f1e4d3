import type { Context } from "../../context.ts";
import type { CertificateSource, Challenges, ServerCertificate } from "../../http/tls/certificate.ts";
import { messageOf } from "../../lib/errors.ts";
import { keyToPem, newCertificateKey, selfSignedCertificate } from "../../lib/x509.ts";
import {
  findCertificate,
  findChallengeFile,
  findTlsChallenge,
  findVersion,
  forgetWait,
  insertSelfSigned,
} from "./queries.ts";
import { certificateChannel, type InstallationCertificate, namesOf } from "./schema.ts";

// What a process that serves the installation's names needs of the records that all processes share.

type Deps = Pick<Context, "config" | "pool" | "secrets" | "log" | "listener">;

const dayMs = 86_400_000;
/** Browsers refuse longer ones. */
const selfSignedDays = 397;
/** For notifications that were missed. */
const lookEveryMs = 10_000;

/** The installation's certificate, which signs itself until the authority has issued one. */
export function sharedCertificate({ config, pool, secrets, log, listener }: Deps): CertificateSource {
  const names = namesOf(config);
  let version = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;

  const read = ({ private_key: key, chain }: InstallationCertificate): ServerCertificate => ({
    key: secrets.decrypt(key),
    chain,
  });

  async function look(onChange: (certificate: ServerCertificate) => void): Promise<void> {
    if ((await findVersion(pool, names)) === version) return;
    const found = await findCertificate(pool, names);
    if (!found || found.version === version) return;
    version = found.version;
    onChange(read(found));
  }

  return {
    open: async (onChange) => {
      await insertSelfSigned(pool, names, makeSelfSigned({ config, secrets }));
      await forgetWait(pool, names);
      const found = (await findCertificate(pool, names)) as InstallationCertificate;
      version = found.version;
      const lookAgain = (): void => {
        look(onChange).catch((error: unknown) => log.warn(`The certificate cannot be read: ${messageOf(error)}`));
      };
      timer = setInterval(lookAgain, lookEveryMs).unref();
      stopListening = await listener.listen(certificateChannel, lookAgain);
      return read(found);
    },
    close: async () => {
      clearInterval(timer);
      stopListening?.();
    },
  };
}

function makeSelfSigned({ config, secrets }: Pick<Deps, "config" | "secrets">) {
  const key = newCertificateKey();
  const notBefore = new Date();
  const notAfter = new Date(notBefore.getTime() + selfSignedDays * dayMs);
  const chain = selfSignedCertificate({ names: config.domains, key, notBefore, notAfter });
  return { privateKey: secrets.encrypt(keyToPem(key)), chain, notBefore, notAfter };
}

/** Answers for the order under way, whichever process made it. */
export function challengesOf({ config, pool }: Pick<Deps, "config" | "pool">): Challenges {
  return {
    findFile: (token) => findChallengeFile(pool, token),
    findCertificate: async (name) => {
      if (!config.domains.includes(name)) return undefined;
      const keyAuthorization = await findTlsChallenge(pool, name);
      return keyAuthorization === undefined ? undefined : proofOf(name, keyAuthorization);
    },
  };
}

function proofOf(name: string, keyAuthorization: string): ServerCertificate {
  const key = newCertificateKey();
  const now = Date.now();
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) };
  return { key: keyToPem(key), chain: selfSignedCertificate({ names: [name], key, ...validity, keyAuthorization }) };
}
