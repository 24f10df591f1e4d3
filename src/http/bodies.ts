import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bytes of a JSON body, and of every body when the route requests them. */
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** The route requests the bytes of its bodies, of any type, and parses them itself. */
    keepsRawBody?: boolean;
  }
}

const notAccepted = "The body is not valid JSON, or has a key __proto__ or constructor.prototype.";

/** Decoding needs limits of its own, and no client has to compress what fits into 1 MiB. */
const codingError = ({ headers }: FastifyRequest, body: Buffer): AppError | undefined => {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (body.length === 0 || coding === "" || coding === "identity") return undefined;
  return new AppError("unsupported_media_type", "The body must not be compressed: send it without Content-Encoding.", {
    headers: { "Accept-Encoding": "identity" },
  });
};

/** Parses JSON except for routes that request the bytes, accepts every empty body, and refuses other types and compressed bodies with 415. */
export function addBodyParsers(app: FastifyInstance): void {
  app.decorateRequest("rawBody", undefined);
  app.removeAllContentTypeParsers();
  // Without such keys no code that copies or merges a body can change the prototype of other objects.
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<Buffer>(
    /^application\/([\w.-]+\+)?json(;|$)/,
    { parseAs: "buffer" },
    (request, body, done) => {
      const refused = codingError(request, body);
      if (refused) return done(refused);
      request.rawBody = body;
      // Parsing JSON delays the requests of all other clients: on routes that accept anonymous requests, it waits until
      // the sender has proven its identity.
      if (body.length === 0 || request.routeOptions.config.keepsRawBody) return done(null, undefined);
      parseJson(request, body.toString("utf8"), (error, value) => {
        if (error) done(new AppError("malformed_json", notAccepted, { cause: error }));
        else done(null, value);
      });
    },
  );
  app.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (request, body, done) => {
    const refused = codingError(request, body);
    if (refused) return done(refused);
    if (request.routeOptions.config.keepsRawBody) request.rawBody = body;
    else if (body.length > 0) {
      return done(
        new AppError("unsupported_media_type", "The body must be JSON, with Content-Type: application/json."),
      );
    }
    done(null, undefined);
  });
}
