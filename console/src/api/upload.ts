import type { Operations } from "../../../contract/types.ts";
import { bodyOf } from "./client.ts";
import { ApiError } from "./errors.ts";

type Import = "POST /api/v1/servers/{id}/databases/{database}/imports";

export interface Upload {
  file: Blob;
  address: string;
  organization: number;
  /** Bytes that have left so far. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file as the body of a request, from the disk and without holding it. By XMLHttpRequest: fetch does not report what it
 * has sent.
 * @throws ApiError when it is refused or gets no answer; the signal's reason when that aborts it.
 */
export function upload({
  file,
  address,
  organization,
  onProgress,
  signal,
}: Upload): Promise<Operations[Import]["reply"]> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("X-Organization", String(organization));
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      try {
        resolve(bodyOf<Import>("POST /api/v1/servers/{id}/databases/{database}/imports", answerOf(request)));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new ApiError(0, { message: "The connection was lost before all of it was sent." }));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function answerOf(request: XMLHttpRequest) {
  const lines = request.getAllResponseHeaders().trim().split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
  const { status, response: body } = request;
  return { ok: status >= 200 && status < 300, status, headers, body } as Parameters<typeof bodyOf<Import>>[1];
}
