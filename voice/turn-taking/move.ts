import type { CallerTurn, TurnCommand, TurnState } from './types.ts';

/** One step of the machine: the state so far, and the commands so far. It lives inside one call of `takeTurn`. */
export interface Move {
  readonly at: number;
  state: TurnState;
  readonly commands: TurnCommand[];
}

export function change(move: Move, members: Partial<TurnState>): void {
  move.state = { ...move.state, ...members };
}

export function send(move: Move, turn: CallerTurn): void {
  const { at, state } = move;
  move.commands.push({ kind: 'send', turn });
  change(move, {
    kept: '',
    entry: undefined,
    turn: {
      sentAt: at,
      answeredAt: at,
      isOpening: false,
      hasSpoken: false,
      before: state.listening,
      hasListen: false,
    },
  });
}

export function hangUp(move: Move): void {
  move.commands.push({ kind: 'hangUp' });
  change(move, { isOver: true });
}

/** Stops the line that plays for good, unless the caller must hear it in full. */
export function cut(move: Move): void {
  if (!move.state.playing?.line.interruptible) return;
  move.commands.push({ kind: 'cut' });
  change(move, { playing: undefined });
}

/** Whether the caller's words or digits are due, so that the lines that may be interrupted have lost their purpose. */
export function interrupts({ kept, entry }: TurnState): boolean {
  return kept !== '' || entry !== undefined;
}

/** Whether the agent has finished, and it is the caller's turn. */
export function isListening({ turn, playing, queue, isEnding }: TurnState): boolean {
  return turn === undefined && playing === undefined && queue.length === 0 && !isEnding;
}
