import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import type { Played } from '../calls/played.ts';
import type { CallerTurn, Mocks, Report } from '../calls/played-call.ts';

/** What the caller did, and what came of it. The first exchange of a call has no turn: the agent begins. */
export interface Exchange {
  readonly turn: CallerTurn | undefined;
  readonly report: Report;
}

/** A call that is played one turn at a time. */
export interface Call {
  readonly exchanges: readonly Exchange[];
  readonly mocks: Mocks;
  /** True while a turn is played. */
  readonly isPlaying: boolean;
  readonly error: Error | undefined;
  /** Plays a turn of the caller. */
  readonly play: (turn: CallerTurn) => Promise<Report | undefined>;
  /** Forgets everything after an exchange. */
  readonly goBackTo: (index: number) => void;
  /** Starts a new call, in which transfers succeed. The responses of other systems stay. */
  readonly restart: () => void;
  /** Plays the same turns again, with other mocks. */
  readonly replay: (mocks: Mocks) => void;
  /** Plays the same turns again, and says whether anybody takes the calls that are put through. */
  readonly replayTransfers: (transfers: 'succeed' | 'fail') => void;
  /** Tries again what has failed. */
  readonly retry: () => void;
}

/** Starts a call on a version, and plays what the caller does. Each turn sends back the state of the one before. */
export function useCall({ kind, id }: Played, version: number): Call {
  const { api } = useSession();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [mocks, setMocks] = useState<Mocks>({});
  const [isPlaying, setPlaying] = useState(false);
  const [error, setError] = useState<Error>();
  const running = useRef<AbortController>(undefined);
  const failed = useRef<() => void>(undefined);

  const run = useCallback(
    async (
      kept: readonly Exchange[],
      turns: readonly (CallerTurn | undefined)[],
      mocks: Mocks,
    ): Promise<Report | undefined> => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      setError(undefined);
      setExchanges(kept);
      let played = kept;
      for (const [index, turn] of turns.entries()) {
        const state = played.at(-1)?.report.state;
        // With other mocks, a call may end earlier than before.
        if (state === null) break;
        setPlaying(true);
        const input = {
          version,
          mocks,
          ...(turn !== undefined && { caller: { script: [turn] } }),
          ...(state !== undefined && { state }),
        };
        const answer =
          kind === 'flow'
            ? api.call('simulate_flow', { flowId: id, ...input }, signal)
            : api.call('simulate_conversation', { id, ...input }, signal);
        const report = await answer.catch((thrown: unknown) => {
          if (signal.aborted) return undefined;
          failed.current = () => void run(played, turns.slice(index), mocks);
          setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
          return undefined;
        });
        if (signal.aborted) return undefined;
        if (!report) break;
        played = [...played, { turn, report }];
        setExchanges(played);
      }
      setPlaying(false);
      return played.at(-1)?.report;
    },
    [api, kind, id, version],
  );

  useEffect(() => {
    void run([], [undefined], {});
    return () => running.current?.abort();
  }, [run]);

  const replay = (changed: Mocks) => {
    setMocks(changed);
    void run([], exchanges.length === 0 ? [undefined] : exchanges.map(({ turn }) => turn), changed);
  };
  const restart = () => {
    const { transfers: _before, ...responses } = mocks;
    setMocks(responses);
    void run([], [undefined], responses);
  };
  return {
    exchanges,
    mocks,
    isPlaying,
    error,
    play: (turn) => run(exchanges, [turn], mocks),
    goBackTo: (index) => void run(exchanges.slice(0, index + 1), [], mocks),
    restart,
    replay,
    replayTransfers: (transfers) => {
      const { transfers: _before, ...others } = mocks;
      replay({ ...others, ...(transfers === 'fail' && { transfers }) });
    },
    retry: () => failed.current?.(),
  };
}

/** The turns of a call as a script. What a model understood is fixed, so that the script needs no model. */
export function scriptOf(exchanges: readonly Exchange[]): CallerTurn[] {
  return exchanges.flatMap(({ turn, report }): CallerTurn[] => {
    if (turn === undefined) return [];
    const heard = report.transcript.find(({ who }) => who === 'caller');
    return typeof turn === 'string' && heard?.understood && heard.understoodBy === 'model'
      ? [{ text: turn, understood: heard.understood }]
      : [turn];
  });
}
