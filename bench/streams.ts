import type { Readable } from "node:stream";
import type { Place } from "../stage/applications/application.ts";
import { selfSigned } from "../stage/self-signed.ts";
import { overHttp, overHttp2, overHttps, type Way } from "../stage/ways.ts";

const codings = ["identity", "gzip", "br"];

/**
 * Milliseconds from the time when an application sends a part of a stream until its reader has it, for each part: over HTTP/1.1
 * and HTTP/2, with compression and without. `/clock` of the application sends the time, a line for each part. The site has a
 * certificate afterwards.
 */
export async function lagsOf(place: Place, rounds: number): Promise<number[]> {
  const plain = await lagsOver(place, [overHttp], rounds);
  const { stage, project, domain } = place;
  await stage.client("POST /api/v1/projects/{projectId}/certificates/custom", {
    params: { projectId: project.id },
    body: await selfSigned([domain]),
  });
  return [...plain, ...(await lagsOver(place, [overHttps, overHttp2], rounds))];
}

async function lagsOver(place: Place, ways: readonly Way[], rounds: number): Promise<number[]> {
  const lags: number[] = [];
  // One after the other: concurrent readers would delay each other's measurements.
  for (let round = 1; round <= rounds; round++) {
    for (const way of ways) {
      for (const coding of codings) {
        const headers = { Accept: "text/event-stream", "Accept-Encoding": coding };
        lags.push(...(await lagsIn(await way(place, "/clock", headers))));
      }
    }
  }
  return lags;
}

async function lagsIn(stream: Readable): Promise<number[]> {
  const lags: number[] = [];
  let rest = "";
  for await (const part of stream.setEncoding("utf8")) {
    const now = Date.now();
    const lines = `${rest}${part}`.split("\n");
    rest = lines.pop() ?? "";
    lags.push(...lines.map((line) => now - Number(line)));
  }
  if (lags.length !== 10 || lags.some(Number.isNaN)) throw new Error(`/clock does not send ten times: ${lags}`);
  return lags;
}
