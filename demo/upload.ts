import { request } from "node:http";

/** Uploads a small text file to the PHP sample, as its form would. */
export function upload(address: string, host: string, name: string, text: string): Promise<void> {
  const boundary = "----longshore-demo";
  const body = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${name}"`,
    "Content-Type: text/plain",
    "",
    text,
    `--${boundary}--`,
    "",
  ].join("\r\n");
  const headers = { Host: host, "Content-Type": `multipart/form-data; boundary=${boundary}` };
  return new Promise((resolve, reject) => {
    const sending = request({ host: address, path: "/", method: "POST", headers, agent: false }, (response) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`Uploading to ${host} was answered with ${response.statusCode}`));
      });
    });
    sending.on("error", reject);
    sending.end(body);
  });
}
