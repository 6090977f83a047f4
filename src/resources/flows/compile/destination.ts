/** The number or address to which a call is put through. */
export interface Destination {
  readonly kind: 'phoneNumber' | 'sip';
  readonly value: string;
}

/** What a number of a flow says: a phone number or a SIP address; undefined if it is neither. */
export function destinationIn(number: unknown): Destination | undefined {
  // A placeholder would let the caller choose who gets the call.
  if (typeof number !== 'string' || number.length > 1_000 || number.includes('{{')) return undefined;
  const value = number.trim();
  if (/^sips?:[^\s@]+(?:@[^\s@]+)?$/iu.test(value)) return { kind: 'sip', value };
  return /^\+?\d{3,15}$/u.test(value.replaceAll(/[\s./()-]/gu, ''))
    ? { kind: 'phoneNumber', value }
    : undefined;
}
