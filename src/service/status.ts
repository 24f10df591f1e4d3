import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { type Config, loadConfig } from "../config.ts";
import { freeBytes } from "../lib/disk.ts";
import { AppError } from "../lib/errors.ts";
import { type Health, readHealth } from "./health.ts";
import { plainAddress, publicNames } from "./installation.ts";
import { findCurrentVersion, type ServiceLayout } from "./layout.ts";
import { readSettings } from "./settings-file.ts";
import { readUnit, type UnitState } from "./systemd.ts";

export interface ServiceStatus {
  version: string | null;
  health: Health;
  address: string;
  unit: Omit<UnitState, "invocation" | "loaded">;
  data: string;
  disk_free_bytes: number | null;
  /** Null if the database does not answer, or is not there yet. */
  database_bytes: number | null;
  /** Null without HTTPS on this machine. */
  certificate: { expires_at: string; is_self_signed: boolean } | null;
}

const tlsTimeoutMs = 5_000;

/** Throws AppError("not_found") if the service is not installed on this machine. */
export async function readStatus(layout: ServiceLayout): Promise<ServiceStatus> {
  if (!existsSync(layout.unit)) {
    throw new AppError("not_found", "There is no service on this machine: longshore service install makes it.");
  }
  const settings = await readSettings(layout.settings);
  const config = loadConfig(settings);
  const names = publicNames(config);
  const { invocation, loaded: _, ...unit } = await readUnit();
  const [health, free, database, certificate] = await Promise.all([
    readHealth(config, { ...unit, invocation, loaded: "loaded" }),
    freeBytes(config.dataDirectory).catch(() => null),
    readDatabaseBytes(config).catch(() => null),
    names[0] === undefined ? null : shownCertificate(names[0], config).catch(() => null),
  ]);
  return {
    version: findCurrentVersion(layout) ?? null,
    health,
    address: config.publicUrl ?? plainAddress(config),
    unit,
    data: config.dataDirectory,
    disk_free_bytes: free,
    database_bytes: database,
    certificate,
  };
}

async function readDatabaseBytes({ databaseUrl, dataDirectory }: Config): Promise<number> {
  if (databaseUrl === undefined) return bytesBelow(join(dataDirectory, "postgres/data"));
  const { databaseBytes } = await import("../db/size.ts");
  return databaseBytes(databaseUrl);
}

/** What a running database creates and removes in the meantime counts for nothing. */
async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  let sum = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    sum += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return sum;
}

/** The certificate that this machine shows for a name, whether browsers trust it or not. */
function shownCertificate(servername: string, { domains, httpsPort }: Config): Promise<ServiceStatus["certificate"]> {
  // That of nginx, without domains of its own.
  const port = domains.length > 0 ? httpsPort : 443;
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, servername, rejectUnauthorized: false, timeout: tlsTimeoutMs };
    const socket = connect(options, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      resolve(
        certificate
          ? {
              expires_at: certificate.validToDate.toISOString(),
              is_self_signed: certificate.issuer === certificate.subject,
            }
          : null,
      );
    });
    socket.on("timeout", () => socket.destroy(new Error("It does not answer.")));
    socket.on("error", reject);
  });
}

/** Lines for people. */
export function describeStatus(status: ServiceStatus): Record<string, string> {
  const { unit, certificate } = status;
  const words: Record<Health, string> = {
    ok: "ok",
    unavailable: "it answers, and its database or its disk does not",
    unreachable: "it does not answer",
  };
  return {
    version: status.version ?? "none",
    health: words[status.health],
    address: status.address,
    unit: [
      unit.active,
      ...(unit.since && unit.active === "active" ? [`since ${unit.since}`] : []),
      unit.enabled,
      ...(unit.restarts > 0 ? [`restarted ${unit.restarts} times`] : []),
      ...(unit.memory === null ? [] : [megabytes(unit.memory)]),
    ].join(", "),
    data: status.data,
    "disk free": status.disk_free_bytes === null ? "unknown" : megabytes(status.disk_free_bytes),
    database: status.database_bytes === null ? "unknown" : megabytes(status.database_bytes),
    certificate: certificate
      ? `${certificate.is_self_signed ? "made here, no browser trusts it; " : ""}until ${certificate.expires_at}`
      : "none",
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2).toLocaleString("en")} MB`;
