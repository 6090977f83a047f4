import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ActionButton, Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { MicrophoneIcon, PhoneIcon } from '../../ui/icons.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { useEntranceLists } from '../../versions/use-entrances.ts';
import spoken from '../calls/transcript.module.css';
import { Happening, Transcript } from '../calls/transcript.tsx';
import { type CallEnd, type CallState, type Caption, longestJoin } from './call-state.ts';
import { callableAgents, missingAgent, type WebAgent } from './callable-agents.ts';
import { Keypad } from './keypad.tsx';
import { LevelMeter } from './level-meter.tsx';
import classes from './live-call.module.css';
import { type LiveCall, useLiveCall } from './use-live-call.ts';

interface LiveCallProps {
  readonly conversation: Conversation;
  /** The rehearsal, which makes room for a call and is as it was afterwards. */
  readonly children: ReactNode;
}

/** Offers to call the live version, with the microphone of this page. */
export function LiveCallSection({ conversation, children }: LiveCallProps) {
  const { agents } = useEntranceLists();
  const call = useLiveCall();
  const [through, setThrough] = useState<string>();
  const offer = useRef<HTMLElement>(null);
  const { phase } = call.state;
  const isOpen = phase !== 'idle';
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) offer.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (!agents.data) return children;
  const callable = callableAgents(conversation.id, agents.data);
  const agent = callable.find(({ id }) => id === through) ?? callable[0];
  const start = () => agent && void call.start(agent.id);
  return (
    <>
      {isOpen ? (
        <CallPanel conversation={conversation} call={call} agent={agent} onAgain={start} />
      ) : (
        <section ref={offer} aria-label="Call the live version" className={classes.offer}>
          <ActionButton
            needs="run"
            variant="primary"
            icon={<PhoneIcon />}
            refusal={missingAgent(conversation.id, agents.data)}
            onClick={start}
          >
            Call
          </ActionButton>
          {callable.length > 1 && (
            <SelectField
              label="Through"
              value={agent?.id ?? ''}
              options={callable.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setThrough}
            />
          )}
          <p>
            {missingAgent(conversation.id, agents.data) ??
              `Speak with version ${conversation.activeVersion}, which is live. This is a real call: its requests and messages are sent.`}
          </p>
        </section>
      )}
      <div hidden={isOpen}>{children}</div>
    </>
  );
}

interface CallPanelProps {
  readonly conversation: Conversation;
  readonly call: LiveCall;
  readonly agent: WebAgent | undefined;
  readonly onAgain: () => void;
}

function CallPanel({ conversation: { id, activeVersion }, call, agent, onAgain }: CallPanelProps) {
  const { state } = call;
  const { phase, isMuted } = state;
  const [hasKeypad, setKeypad] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOver = phase === 'over';
  const canSpeak = phase === 'joining' || phase === 'talking';
  // The button that started the call, or ended it, has gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the call begins and when it ends
  useEffect(() => {
    heading.current?.focus();
  }, [isOver]);
  return (
    <section aria-label="Live call" className={classes.panel}>
      <div className={classes.controls}>
        <h2 ref={heading} tabIndex={-1}>
          Call to version {activeVersion}
        </h2>
        <Situation state={state} />
        {isOver && state.end && <EndNotice end={state.end} />}
        {state.hasLostMicrophone && !isOver && (
          <p role="alert" className={classes.problem}>
            The microphone is gone, so the agent cannot hear you. Connect it, and call again.
          </p>
        )}
        {!isOver && (
          <>
            <div className={classes.levels}>
              <LevelMeter label="You" read={() => call.loudness('caller')} />
              <LevelMeter label="Agent" read={() => call.loudness('agent')} />
            </div>
            {state.isSilenced && (
              <Button variant="primary" onClick={call.play}>
                Let me hear the agent
              </Button>
            )}
            <div className={classes.actions}>
              <Button
                icon={<MicrophoneIcon />}
                aria-pressed={isMuted}
                refusal={canSpeak ? undefined : 'You are not connected.'}
                onClick={() => call.setMuted(!isMuted)}
              >
                Mute
              </Button>
              <Button aria-expanded={hasKeypad} onClick={() => setKeypad(!hasKeypad)}>
                Keypad
              </Button>
              <Button variant="danger" onClick={call.hangUp}>
                Hang up
              </Button>
            </div>
            {hasKeypad && (
              <Keypad refusal={canSpeak ? undefined : 'You are not connected.'} onPress={call.press} />
            )}
          </>
        )}
        {isOver && (
          <div className={classes.actions}>
            <ActionButton needs="run" variant="primary" icon={<PhoneIcon />} onClick={onAgain}>
              Call again
            </ActionButton>
            <Button onClick={call.close}>Back to the rehearsal</Button>
          </div>
        )}
        <p className={classes.fine}>
          {agent && (
            <>
              Through the web agent <bdi>{agent.name}</bdi>.{' '}
            </>
          )}
          {isOver && state.hadAgent && (
            <Link href={`/conversations/${id}/sessions`}>See in Sessions how you were understood</Link>
          )}
        </p>
      </div>
      <Captions captions={state.captions} />
    </section>
  );
}

const activities = {
  speaking: 'It speaks.',
  listening: 'It listens.',
  thinking: 'It thinks.',
} as const;

/** Where the call is. Screen readers read each phase out, but not who speaks: they would talk into the call. */
function Situation({ state: { phase, agent, hadAgent, isMuted } }: { state: CallState }) {
  const phases = {
    idle: '',
    asking: 'Allow the microphone if the browser asks for it.',
    connecting: 'Connecting…',
    joining: hadAgent
      ? `The agent is gone. Waiting up to ${longestJoin / 1_000} s for another one…`
      : 'Connected. The agent is joining…',
    talking: 'The agent has joined.',
    interrupted: 'The connection is interrupted. Connecting again…',
    over: 'The call has ended.',
  } as const;
  return (
    <div className={classNames(classes.situation, phase === 'over' && classes.isOver)}>
      <span role="status">
        {phases[phase]}
        {isMuted && phase !== 'over' && ' You are muted.'}
      </span>
      {phase === 'talking' && <span> {activities[agent]}</span>}
    </div>
  );
}

/** What is no failure of anything. */
const usualEnds: ReadonlySet<CallEnd['kind']> = new Set(['hungUp', 'agentHungUp', 'otherWindow']);

/** Why a call has ended and, if something went wrong, what to do about it. */
function EndNotice({ end }: { end: CallEnd }) {
  if (end.kind === 'failed') return <ErrorNotice error={end.error} />;
  const isUsual = usualEnds.has(end.kind);
  return (
    <p role={isUsual ? undefined : 'alert'} className={isUsual ? classes.end : classes.problem}>
      <Reason end={end} />
    </p>
  );
}

function Reason({ end }: { end: Exclude<CallEnd, { readonly kind: 'failed' }> }) {
  switch (end.kind) {
    case 'hungUp':
      return 'You hung up.';
    case 'agentHungUp':
      return 'The agent hung up.';
    case 'otherWindow':
      return 'The call goes on in another window.';
    case 'microphone':
      return end.problem;
    case 'noWorker':
      return (
        <>
          No voice worker answers: start one with <code>npm run voice</code>.
        </>
      );
    case 'agentLost':
      return 'The agent is gone, and no other one has taken over. The log of the voice worker says why.';
    case 'connectionLost':
      return 'The connection is lost. Check your network, and call again.';
    case 'serverStopped':
      return 'The LiveKit server has stopped. Start it, and call again.';
    case 'unreachable':
      return (
        <>
          The LiveKit server at <bdi>{end.address}</bdi> does not let this page join the call. Check that it
          runs, and that this device reaches it.
        </>
      );
    case 'origin':
      return `This web agent starts calls on its own websites only. An agent adds ${globalThis.location.origin} to its allowed origins over MCP with update_web_agent.`;
    case 'turnByTurn':
      return (
        <>
          Calls need a LiveKit server, and none runs. Start <code>livekit-server --dev</code> and a worker, or
          go back to the rehearsal and use Speak: it plays one recording at a time.
        </>
      );
  }
}

/** What is said. It is not read out, because the agent's voice says it too. */
function Captions({ captions }: { captions: readonly Caption[] }) {
  const log = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is at the end
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [captions]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <div ref={log} role="log" aria-live="off" aria-label="Captions" tabIndex={0} className={classes.captions}>
      {captions.length === 0 ? (
        <p className={classes.fine}>What you and the agent say appears here.</p>
      ) : (
        <Transcript label="Captions">
          {captions.map((caption) =>
            caption.who === 'keys' ? (
              <Happening key={caption.id}>You pressed {caption.text}</Happening>
            ) : (
              <li
                key={caption.id}
                className={classNames(
                  spoken.line,
                  spoken[caption.who],
                  !caption.isFinal && classes.unfinished,
                )}
              >
                <p className={spoken.who}>{caption.who === 'agent' ? 'Agent' : 'You'}</p>
                <p className={spoken.text} dir="auto">
                  {caption.text}
                </p>
              </li>
            ),
          )}
        </Transcript>
      )}
    </div>
  );
}
