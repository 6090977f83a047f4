import { useEffect, useRef, useState } from 'react';
import { useRefusal, useSession } from '../../api/session.ts';
import { microphoneProblem, openMicrophone } from '../live-call/open-microphone.ts';
import { useMissingModel } from './use-models.ts';

/** Milliseconds after which a recording stops by itself: nobody speaks longer in one turn. */
const longestTurn = 60_000;

/** Records one turn at a time, and has it transcribed. */
export interface Microphone {
  readonly isRecording: boolean;
  readonly isTranscribing: boolean;
  readonly isBusy: boolean;
  /** Why it cannot be used at all. */
  readonly refusal: string | undefined;
  /** What went wrong the last time, in words. */
  readonly problem: string | undefined;
  readonly start: () => Promise<void>;
  /** Stops, and passes on what was said. */
  readonly finish: () => void;
  /** Stops, and forgets the recording. */
  readonly discard: () => void;
}

/** @param onHeard gets the text of each turn */
export function useMicrophone(onHeard: (text: string) => Promise<void>): Microphone {
  const { api } = useSession();
  const access = useRefusal('run');
  const missing = useMissingModel('transcription');
  const [phase, setPhase] = useState<'off' | 'asking' | 'recording' | 'transcribing'>('off');
  const [problem, setProblem] = useState<string>();
  const recording = useRef<{ readonly recorder: MediaRecorder; isWanted: boolean }>(undefined);

  const stop = (isWanted: boolean) => {
    const current = recording.current;
    if (!current || current.recorder.state === 'inactive') return;
    current.isWanted = isWanted;
    current.recorder.stop();
  };
  useEffect(
    () => () => {
      const current = recording.current;
      if (current && current.recorder.state !== 'inactive') {
        current.isWanted = false;
        current.recorder.stop();
      }
    },
    [],
  );

  const transcribe = async (sound: Blob) => {
    setPhase('transcribing');
    const form = new FormData();
    form.set('file', sound, sound.type.startsWith('audio/mp4') ? 'turn.mp4' : 'turn.webm');
    form.set('tier', 'playground');
    try {
      const { text } = await api.call('create_transcription', form);
      const said = text.trim();
      setPhase('off');
      if (said === '')
        setProblem('Nothing could be understood. Speak closer to the microphone, and try again.');
      else await onHeard(said);
    } catch (thrown) {
      setPhase('off');
      setProblem(`The recording could not be transcribed. ${thrown instanceof Error ? thrown.message : ''}`);
    }
  };

  const start = async () => {
    setProblem(undefined);
    setPhase('asking');
    try {
      const stream = await openMicrophone();
      const recorder = new MediaRecorder(stream);
      const current = { recorder, isWanted: false };
      recording.current = current;
      const pieces: Blob[] = [];
      const timer = setTimeout(() => stop(true), longestTurn);
      recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
      recorder.addEventListener('stop', () => {
        clearTimeout(timer);
        for (const track of stream.getTracks()) track.stop();
        setPhase('off');
        if (current.isWanted) void transcribe(new Blob(pieces, { type: recorder.mimeType }));
      });
      recorder.start();
      setPhase('recording');
    } catch (thrown) {
      setPhase('off');
      setProblem(microphoneProblem(thrown));
    }
  };

  return {
    isRecording: phase === 'recording',
    isTranscribing: phase === 'transcribing',
    isBusy: phase === 'asking' || phase === 'transcribing',
    refusal: access ?? missing,
    problem,
    start,
    finish: () => stop(true),
    discard: () => stop(false),
  };
}
