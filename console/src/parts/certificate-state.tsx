import type { Certificate } from "../../../contract/types.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import type { Tone } from "../ui/tones.ts";

const looks: Record<Certificate["status"], { state: string; word: string; tone: Tone }> = {
  0: { state: "pending", word: "Being issued", tone: "run" },
  1: { state: "active", word: "Active", tone: "ok" },
  2: { state: "failed", word: "Failed", tone: "bad" },
  3: { state: "expired", word: "Expired", tone: "bad" },
};

export const CertificateState = ({ status }: { status: Certificate["status"] }) => <StateIcon {...looks[status]} />;
