import { XMLParser } from "fast-xml-parser";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { CloudAnswer } from "../call.ts";
import type { CloudError, OrderField } from "../driver.ts";
import { errorOf, failed, foreignAnswer, type Meaning, readRefusal, wait } from "../refusals.ts";

export const label = "AWS EC2";

const badKey: Meaning = { field: "credentials", sentence: "refused the access key: it is wrong or was deactivated" };
const notPermitted: Meaning = { field: "credentials", sentence: "does not permit this with the access key" };

// Decided by code, since one status has many meanings:
// https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html.
const meanings: [RegExp, Meaning][] = [
  [/^(AuthFailure|InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClientException)$/, badKey],
  [/^(UnauthorizedOperation|AccessDenied|AccessDeniedException)$/, notPermitted],
  [/^RequestExpired$/, { field: "credentials", sentence: "refused a call because this machine's clock is wrong" }],
  [/^OptInRequired$/, { field: "location", sentence: "has not enabled the region for the account" }],
  [/^PendingVerification$/, { field: "location", sentence: "is still verifying the account for the region" }],
  [/^(VcpuLimitExceeded|InstanceLimitExceeded)$/, { field: "server_type", sentence: "refused: a quota is reached" }],
  [
    /^Insufficient(Instance|Host|Reserved)\w*Capacity$/,
    { field: "server_type", sentence: "has no capacity at present" },
  ],
  [/^(Unsupported|InvalidInstanceType|InstanceTypeNotSupported)/, { field: "server_type" }],
  [/^AddressLimitExceeded$/, { field: "static_address", sentence: "refused: the quota of addresses is reached" }],
  [/^InsufficientFreeAddressesInSubnet$/, { field: "network", sentence: "has no free address in the subnet" }],
  [/^Invalid(SubnetID|VpcID|Subnet)\b/, { field: "network" }],
  [/^InvalidAMIID\b/, { field: "image" }],
  [/^(VolumeLimitExceeded|MaxIOPSLimitExceeded|InvalidBlockDeviceMapping)$/, { field: "volume_size" }],
  [/^(VolumeTypeNotAvailableInZone|UnknownVolumeType)/, { field: "volume_type" }],
  [/^(SecurityGroupLimitExceeded|RulesPerSecurityGroupLimitExceeded)$/, { field: "firewall" }],
  [/^(RequestLimitExceeded|Throttling|ThrottlingException|TooManyRequestsException)$/, wait(1_000)],
  [/^(InternalError|InternalFailure|InternalErrorException|InternalServerError|ServiceUnavailable)$/, failed],
  [/^(Unavailable|ServerInternal)$/, failed],
  [/^(DependencyViolation|IncorrectState|InvalidIPAddress\.InUse|VolumeInUse|InvalidSnapshot\.InUse)$/, wait(10_000)],
  // An instance that is still starting, or stopping.
  [/^(IncorrectInstanceState|InvalidInstanceID)$/, wait(10_000)],
];

/** The refusal in an answer, its code as `cause`; undefined for a success. */
export function refusalIn({ status, text }: CloudAnswer): CloudError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const refusal = readXmlRefusal(text) ?? readJsonRefusal(text);
  if (refusal === undefined) return foreignAnswer(label, { status });
  const { code, message } = refusal;
  const found = meanings.find(([pattern]) => pattern.test(code))?.[1];
  const meaning = found ?? (status >= 500 || status === 429 || status === 408 ? failed : {});
  // "Encoded authorization failure message: …" is of no use to the reader.
  const shown = message.replace(/\s*Encoded authorization failure message:.*/s, "");
  return errorOf(
    { label, code, message: shown, isMissing: /NotFound$/.test(code) },
    { field: fieldOf(code, message), ...meaning },
  );
}

function fieldOf(code: string, message: string): OrderField | undefined {
  if (!/^(InvalidParameter|MissingParameter|ValidationError)/.test(code)) return undefined;
  if (/volume ?size|size of the volume|smaller than snapshot/i.test(message)) return "volume_size";
  if (/volume ?type|iops/i.test(message)) return "volume_type";
  if (/instance ?type/i.test(message)) return "server_type";
  if (/subnet/i.test(message)) return "network";
  return undefined;
}

interface Refusal {
  code: string;
  message: string;
}

const XmlError = Type.Object({ Code: Type.String(), Message: Type.Optional(Type.String()) });
const EcRefusal = Type.Object({ Response: Type.Object({ Errors: Type.Object({ Error: XmlError }) }) });
const QueryRefusal = Type.Object({ ErrorResponse: Type.Object({ Error: XmlError }) });
const JsonRefusal = Type.Object({ __type: Type.String(), message: Type.Optional(Type.String()) });

function readJsonRefusal(text: string): Refusal | undefined {
  const json = readRefusal(JsonRefusal, text);
  return json && { code: json.__type.split("#").at(-1) ?? "", message: json.message ?? "" };
}

function readXmlRefusal(text: string): Refusal | undefined {
  if (text.length > 100_000) return undefined;
  try {
    const body = parseXml(text);
    if (Value.Check(EcRefusal, body)) return refusalOf(body.Response.Errors.Error);
    return Value.Check(QueryRefusal, body) ? refusalOf(body.ErrorResponse.Error) : undefined;
  } catch {
    return undefined;
  }
}

const refusalOf = ({ Code, Message = "" }: { Code: string; Message?: string }): Refusal => ({
  code: Code,
  message: Message,
});

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  removeNSPrefix: true,
  maxNestedTags: 40,
  isArray: (name) => name === "item",
});

/** XML without a document type: an answer never needs its own entities. All values are texts, `item` a list. */
export function parseXml(text: string): unknown {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Error("it declares entities");
  return parser.parse(text);
}
