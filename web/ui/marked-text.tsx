import { Fragment } from 'react';

/** A text of the API with names between backticks, which become code. */
export function MarkedText({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity and no state
    index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  );
}
