/** What a call is played on: a conversation, or a flow as the design that it becomes. */
export interface Played {
  readonly kind: 'conversation' | 'flow';
  readonly id: string;
}
