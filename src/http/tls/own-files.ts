import { readFile } from "node:fs/promises";
import { AppError, messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { type CertificateSource, checkServable, type ServerCertificate } from "./certificate.ts";

/** Files that the operator replaces: they are small, and reading them detects every way of replacing them. */
const lookEveryMs = 2_000;

interface Files {
  certificate: string;
  key: string;
}

/**
 * A certificate in files of the operator's own. `open` throws AppError("configuration") if it cannot be served; later on, the former
 * one stays when the files cannot be used, and the log has the reason.
 */
export function certificateInFiles(files: Files, log: Logger, everyMs = lookEveryMs): CertificateSource {
  let timer: NodeJS.Timeout | undefined;
  let seen = "";
  let complaint = "";

  async function look(onChange: (certificate: ServerCertificate) => void): Promise<void> {
    try {
      const found = await read(files);
      const text = textOf(found);
      if (text !== seen) {
        checkServable(found, files.certificate);
        seen = text;
        log.info({ file: files.certificate }, "the changed certificate is served from now on");
        onChange(found);
      }
      complaint = "";
    } catch (error) {
      // Half of a replacement, or a mistake: each is logged once.
      const reason = messageOf(error);
      if (reason !== complaint) log.warn({ reason }, "the changed certificate cannot be served, the former one stays");
      complaint = reason;
    }
  }

  function lookLater(onChange: (certificate: ServerCertificate) => void): void {
    timer = setTimeout(() => {
      look(onChange).finally(() => {
        if (timer) lookLater(onChange);
      });
    }, everyMs).unref();
  }

  return {
    open: async (onChange) => {
      const found = await readCertificateFiles(files);
      seen = textOf(found);
      lookLater(onChange);
      return found;
    },
    close: async () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Throws AppError("configuration") if what the files hold cannot be served. */
export async function readCertificateFiles(files: Files): Promise<ServerCertificate> {
  const found = await read(files);
  checkServable(found, files.certificate);
  return found;
}

async function read(files: Files): Promise<ServerCertificate> {
  const [chain, key] = await Promise.all([readText(files.certificate), readText(files.key)]);
  return { chain, key };
}

const textOf = ({ chain, key }: ServerCertificate): string => `${chain}\n${key}`;

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new AppError("configuration", `The file ${file} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}
