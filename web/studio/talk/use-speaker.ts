import { useEffect, useRef, useState } from 'react';
import { useRefusal, useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { useMissingModel } from './use-models.ts';

/** Reads replies aloud, in the voice of an agent profile. */
export interface Speaker {
  readonly isOn: boolean;
  /** Why it cannot be used at all. */
  readonly refusal: string | undefined;
  /** What went wrong the last time, in words. */
  readonly problem: string | undefined;
  readonly setOn: (isOn: boolean) => void;
  /** Switches it on if it can be used. */
  readonly switchOn: () => void;
  /** Ends what it says, and says this. */
  readonly speak: (text: string) => Promise<void>;
}

/** @param agentProfileId null: the usual voice */
export function useSpeaker(agentProfileId: string | null): Speaker {
  const { api } = useSession();
  const access = useRefusal('run');
  const missing = useMissingModel('speech');
  const refusal = access ?? missing;
  const profile = useOperation(
    'get_agent_profile',
    { agentProfileId: agentProfileId ?? '' },
    { enabled: agentProfileId !== null },
  );
  const [isOn, setOn] = useState(false);
  const [problem, setProblem] = useState<string>();
  const playing = useRef<{ readonly audio: HTMLAudioElement; readonly request: AbortController }>(undefined);
  const stop = () => {
    const { audio, request } = playing.current ?? {};
    request?.abort();
    audio?.pause();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is left
  useEffect(() => stop, []);

  const speak = async (text: string) => {
    if (refusal !== undefined || text === '') return;
    stop();
    setProblem(undefined);
    const request = new AbortController();
    const audio = new Audio();
    playing.current = { audio, request };
    const voice = profile.data?.outputVoiceId;
    try {
      const response = await api.fetch(
        'create_speech',
        { input: text, response_format: 'mp3', tier: 'playground', ...(voice !== undefined && { voice }) },
        request.signal,
      );
      const address = URL.createObjectURL(await response.blob());
      const release = () => URL.revokeObjectURL(address);
      audio.addEventListener('ended', release, { once: true });
      audio.addEventListener('error', release, { once: true });
      audio.src = address;
      await audio.play();
    } catch (thrown) {
      // The next reply, or leaving the page, ends this one.
      if (request.signal.aborted) return;
      setProblem(`The reply cannot be read aloud. ${thrown instanceof Error ? thrown.message : ''}`);
    }
  };

  return {
    isOn: isOn && refusal === undefined,
    refusal,
    problem,
    setOn: (on) => {
      setOn(on);
      if (!on) stop();
    },
    switchOn: () => setOn(true),
    speak,
  };
}
