import { useEffect, useReducer, useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { afterNews, type CallEnd, type CallNews, type CallState, longestJoin, noCall } from './call-state.ts';
import { microphoneProblem, openMicrophone } from './open-microphone.ts';
import type { CallRoom } from './room.ts';

/** A call of a person, with the microphone of this page, to the agent behind a web agent. */
export interface LiveCall {
  readonly state: CallState;
  readonly start: (webAgentId: string) => Promise<void>;
  readonly hangUp: () => void;
  /** Forgets a call that is over. */
  readonly close: () => void;
  readonly setMuted: (isMuted: boolean) => void;
  readonly press: (key: string) => void;
  /** Lets the browser play the agent's voice. */
  readonly play: () => void;
  /** How loud the caller and the agent are now, from 0 to 1. */
  readonly loudness: (who: 'caller' | 'agent') => number;
}

/** What a call holds while it goes on. */
interface Running {
  readonly end: (end: CallEnd) => void;
  room?: CallRoom;
}

export function useLiveCall(): LiveCall {
  const { api } = useSession();
  const [state, report] = useReducer(afterNews, noCall);
  const running = useRef<Running>(undefined);
  const hangUp = () => running.current?.end({ kind: 'hungUp' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is left
  useEffect(() => hangUp, []);

  const { phase, hadAgent } = state;
  useEffect(() => {
    if (phase !== 'joining') return undefined;
    const timer = setTimeout(
      () => running.current?.end({ kind: hadAgent ? 'agentLost' : 'noWorker' }),
      longestJoin,
    );
    return () => clearTimeout(timer);
  }, [phase, hadAgent]);

  const start = async (webAgentId: string) => {
    hangUp();
    const controller = new AbortController();
    const { signal } = controller;
    const onNews = (news: CallNews) => {
      if (signal.aborted) return;
      // The abort leaves the room and stops the microphone.
      if (news.kind === 'ended') controller.abort();
      report(news);
    };
    const call: Running = { end: (end) => onNews({ kind: 'ended', end }) };
    running.current = call;
    report({ kind: 'asked' });
    try {
      const microphone = await microphoneUntil(signal, () => onNews({ kind: 'microphoneLost' }));
      if (signal.aborted) return;
      onNews({ kind: 'granted' });
      const [{ roomUrl: url, token }, { joinRoom, isConnectionError }] = await Promise.all([
        api.call('create_web_session', { webAgentId, mode: 'voice' }, signal),
        import('./room.ts'),
      ]);
      signal.throwIfAborted();
      // This server plays the session itself, one recording at a time.
      if (!/^wss?:/.test(url)) return call.end({ kind: 'turnByTurn' });
      call.room = await joinRoom({ url, token, microphone, onNews, signal }).catch((thrown: unknown) => {
        throw isConnectionError(thrown) ? new Unreachable(url, { cause: thrown }) : thrown;
      });
    } catch (thrown) {
      call.end(endOf(thrown));
    }
  };

  /** Does something in the room; if that fails, the room is gone, and the call ends as lost. */
  const inRoom = (act: (room: CallRoom) => Promise<void>, news: CallNews | undefined) => {
    const call = running.current;
    if (!call?.room) return;
    act(call.room).then(
      () => news && report(news),
      () => call.end({ kind: 'connectionLost' }),
    );
  };
  return {
    state,
    start,
    hangUp,
    close: () => report({ kind: 'closed' }),
    setMuted: (isMuted) => inRoom((room) => room.mute(isMuted), { kind: 'muted', isMuted }),
    press: (key) => inRoom((room) => room.press(key), { kind: 'pressed', key }),
    play: () => inRoom((room) => room.play(), undefined),
    loudness: (who) => running.current?.room?.loudness[who]() ?? 0,
  };
}

/** LiveKit's server at this address has not answered, or has not let the caller in. */
class Unreachable extends Error {
  readonly address: string;

  constructor(address: string, options: ErrorOptions) {
    super(`The room at ${address} cannot be joined.`, options);
    this.address = address;
  }
}

class NoMicrophone extends Error {}

/** Opens the microphone, and stops it when the call ends, also if the browser still asks then. */
async function microphoneUntil(signal: AbortSignal, onLost: () => void): Promise<MediaStreamTrack> {
  const stream = await openMicrophone().catch((thrown: unknown) => {
    throw new NoMicrophone(microphoneProblem(thrown), { cause: thrown });
  });
  const [track] = stream.getAudioTracks();
  if (!track) throw new NoMicrophone('This device has no microphone.');
  track.addEventListener('ended', onLost, { once: true });
  if (signal.aborted) track.stop();
  else signal.addEventListener('abort', () => track.stop(), { once: true });
  return track;
}

function endOf(thrown: unknown): CallEnd {
  if (thrown instanceof NoMicrophone) return { kind: 'microphone', problem: thrown.message };
  if (thrown instanceof Unreachable) return { kind: 'unreachable', address: thrown.address };
  if (thrown instanceof ApiError && thrown.details['reason'] === 'origin') return { kind: 'origin' };
  return { kind: 'failed', error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
}
