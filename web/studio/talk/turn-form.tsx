import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { MicrophoneIcon } from '../../ui/icons.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { CallerTurn } from '../calls/played-call.ts';
import classes from './talk.module.css';
import type { Call } from './use-call.ts';
import { useMicrophone } from './use-microphone.ts';
import type { Speaker } from './use-speaker.ts';

interface TurnFormProps {
  readonly call: Call;
  readonly speaker: Speaker;
  /** `isSpoken` is true if the caller said it aloud, and wants to hear the reply. */
  readonly onTurn: (turn: CallerTurn, isSpoken?: boolean) => Promise<void>;
}

/** The caller's next turn: typed, spoken, silent, or the end of the call. */
export function TurnForm({ call, speaker, onTurn }: TurnFormProps) {
  const [text, setText] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const microphone = useMicrophone((heard) => {
    speaker.switchOn();
    return onTurn(heard, true);
  });
  const last = call.exchanges.at(-1)?.report;
  const refusal = last && last.state === null ? 'The call is over. Start again, or go back.' : undefined;
  const isBusy = call.isPlaying;
  const isListening = last !== undefined && !isBusy && refusal === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each turn, and if the call goes back or starts again
  useEffect(() => {
    if (!isBusy) form.current?.querySelector('input')?.focus();
  }, [isBusy, call.exchanges]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    if (said === '' || !isListening) return;
    setText('');
    void onTurn(said);
  };
  return (
    <form ref={form} className={classes.form} onSubmit={submit}>
      <div className={classes.turn}>
        <TextField
          label="You say, as the caller"
          value={text}
          maxLength={2_000}
          autoComplete="off"
          onChange={setText}
        />
        <Button type="submit" variant="primary" size="large" isBusy={isBusy} refusal={refusal}>
          Say
        </Button>
      </div>
      <div className={classes.turnActions}>
        {microphone.isRecording ? (
          <>
            <Button size="small" variant="danger" icon={<MicrophoneIcon />} onClick={microphone.finish}>
              Stop and say it
            </Button>
            <Button size="small" onClick={microphone.discard}>
              Discard
            </Button>
          </>
        ) : (
          <Button
            size="small"
            icon={<MicrophoneIcon />}
            isBusy={microphone.isBusy}
            refusal={microphone.refusal ?? refusal}
            onClick={() => void microphone.start()}
          >
            Speak
          </Button>
        )}
        <Button size="small" refusal={refusal} isBusy={isBusy} onClick={() => void onTurn({ silent: true })}>
          Stay silent
        </Button>
        <Button size="small" refusal={refusal} isBusy={isBusy} onClick={() => void onTurn({ hangUp: true })}>
          Hang up
        </Button>
      </div>
      <p role="status" className={classes.fine}>
        {microphone.isRecording && 'The microphone is on. Speak, then stop.'}
        {microphone.isTranscribing && 'The recording is being transcribed…'}
      </p>
      {microphone.refusal !== undefined && <p className={classes.fine}>{microphone.refusal}</p>}
      {microphone.problem !== undefined && (
        <p role="alert" className={classes.problem}>
          {microphone.problem}
        </p>
      )}
      <Checkbox isChecked={speaker.isOn} refusal={speaker.refusal} onChange={speaker.setOn}>
        Read replies aloud
      </Checkbox>
      {speaker.problem !== undefined && (
        <p role="alert" className={classes.problem}>
          {speaker.problem}
        </p>
      )}
    </form>
  );
}
