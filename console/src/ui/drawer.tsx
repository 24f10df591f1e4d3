import { Overlay, type OverlayProps } from "./overlay.tsx";

/** Details beside the page, from its end; the whole screen on a phone. Keys as of Dialog. */
export function Drawer(props: OverlayProps) {
  return <Overlay {...props} overlayClassName="justify-end" modalClassName="h-full w-full sm:max-w-lg sm:border-l" />;
}
