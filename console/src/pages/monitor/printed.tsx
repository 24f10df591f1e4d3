/** What a job printed. */
export const Printed = ({ text }: { text: string }) => (
  <div className="rounded-panel bg-sunken text-text">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard. */}
    <pre tabIndex={0} className="max-h-60 overflow-auto whitespace-pre-wrap px-3 py-2">
      {text}
    </pre>
  </div>
);
