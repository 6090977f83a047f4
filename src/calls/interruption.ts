import type { CallState, Turn } from './call-state.ts';

/** How much of some lines a caller has heard. */
export interface Heard {
  /** Lines that were heard to their end. */
  readonly lines: number;
  /** What was heard of the next line. */
  readonly part: string;
}

/**
 * How much of some lines, spoken one after another, a caller has heard who has heard this text and then interrupted. Returns
 * undefined for a text that the lines do not begin with.
 */
export function heardOf(lines: readonly string[], text: string): Heard | undefined {
  let left = text.trim();
  for (const [index, line] of lines.entries()) {
    if (!left.startsWith(line)) return line.startsWith(left) ? { lines: index, part: left } : undefined;
    left = left.slice(line.length).trimStart();
  }
  return left === '' ? { lines: lines.length, part: '' } : undefined;
}

/** The call of a caller who has interrupted the agent's last lines: the call remembers of them what the caller has heard. */
export function interrupted(state: CallState, text: string): CallState {
  const { history } = state;
  const first = history.findLastIndex(({ who }) => who === 'caller') + 1;
  const said = history.slice(first);
  const heard = heardOf(
    said.map((turn) => turn.text),
    text,
  );
  // Of a long turn, the history holds only the last lines.
  if (!heard) return state;
  const cut = said.map((turn, index): Turn => {
    if (index < heard.lines) return turn;
    return { ...turn, heard: index === heard.lines ? heard.part : '' };
  });
  return { ...state, history: [...history.slice(0, first), ...cut] };
}
