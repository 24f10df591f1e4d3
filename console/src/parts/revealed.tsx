import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { messageOf } from "../api/errors.ts";
import { Button } from "../ui/button.tsx";

interface RevealedProps<Value> {
  /** The noun of the buttons: "credentials". */
  what: string;
  /** Of whom, where a page has several. */
  of?: string;
  ask: () => Promise<Value>;
  /** Beside the button. */
  note?: ReactNode;
  children: (value: Value) => ReactNode;
}

/** Something secret: read when one presses the button, and forgotten when one hides it or leaves. */
export function Revealed<Value>({ what, of, ask, note, children }: RevealedProps<Value>) {
  const { value, error, isPending, show, hide } = useRevealed(ask);
  const verb = value === undefined ? "Show" : "Hide";
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          icon={value === undefined ? Eye : EyeOff}
          aria-label={of === undefined ? undefined : `${verb} ${what} of ${of}`}
          onPress={value === undefined ? show : hide}
          isPending={isPending}
        >
          {`${verb} ${what}`}
        </Button>
        {note && <span className="text-meta text-text-2">{note}</span>}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-bad">
          {messageOf(error)}
        </p>
      )}
      {value !== undefined && children(value)}
    </div>
  );
}

function useRevealed<Value>(ask: () => Promise<Value>) {
  const [state, setState] = useState<{ value?: Value; error?: unknown; isPending?: boolean }>({});
  // An answer that arrives after one has left is not kept.
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const show = async () => {
    setState({ isPending: true });
    const next = await ask().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (isHere.current) setState(next);
  };
  return { ...state, isPending: state.isPending ?? false, show, hide: () => setState({}) };
}
