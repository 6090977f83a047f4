/** The flow or conversation that takes the calls of a number. */
export interface Handler {
  kind: 'flow' | 'conversation';
  id: string;
}
