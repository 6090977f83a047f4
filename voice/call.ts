import { randomUUID } from 'node:crypto';
import { type EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AudioStream,
  DisconnectReason,
  LocalAudioTrack,
  ParticipantKind,
  type RemoteParticipant,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import type { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import type { InferenceSession } from 'onnxruntime-node';
import type { Assignment, RunningJob } from './dispatch.ts';
import { type Log, logWith, messageOf } from './log.ts';
import type {
  CallerTurn,
  CallPurpose,
  ParleyClient,
  ParleySession,
  SessionEvent,
  StoredTurn,
} from './parley-client.ts';
import { Playback } from './playback.ts';
import { hearingRate, RecentAudio, Windows, wavOf } from './recent-audio.ts';
import { startTurns, takeTurn } from './turn-taking/machine.ts';
import type {
  Line,
  CallerTurn as SentTurn,
  TurnCommand,
  TurnEvent,
  TurnOutcome,
  TurnState,
} from './turn-taking/types.ts';
import { VoiceActivity } from './voice-activity.ts';

export interface CallOptions {
  readonly assignment: Assignment;
  /** The name of this process towards Parley. */
  readonly worker: string;
  readonly parley: ParleyClient;
  readonly rooms: RoomServiceClient;
  readonly sip: SipClient;
  readonly model: InferenceSession;
  readonly log: Log;
}

/**
 * How a call ends here. `hungUp`: by the agent. `callerLeft`: by the caller. `left`: it goes on without this worker, so
 * neither the session nor the room ends.
 */
type Ending = 'hungUp' | 'callerLeft' | 'left';

/** An event of turn-taking to which the clock adds the time. */
type Untimed = TurnEvent extends infer Event ? (Event extends TurnEvent ? Omit<Event, 'at'> : never) : never;

/** A line of the agent's last turn. */
interface SaidLine {
  readonly line: Line;
  isHeard: boolean;
  /** It will not be heard to its end. */
  isCut: boolean;
  /** What the caller heard of it before an interruption. */
  heardText: string;
}

/** When the stages of a turn were reached, in milliseconds of the call's clock. */
interface TurnTimes {
  readonly kind: string;
  /** The end of the caller's speech; undefined for digits and silence. */
  readonly speechEnd: number | undefined;
  readonly transcribed: number;
  readonly sent: number;
  firstEvent?: number;
}

/** Milliseconds for which an agent waits alone in a room. */
const callerPatience = 30_000;
/** Windows of audio that may wait for the voice activity model: 2 s. Older ones are dropped. */
const mostWindowsWaiting = 64;
/** Windows with at least this probability count as speech for the measurement of turns. */
const speechProbability = 0.5;
/** Milliseconds for which a transfer waits until the lines before it are heard. */
const linesPatience = 20_000;
/** Characters of a reason that Parley takes. */
const longestReason = 200;
/** Seconds for which the other telephone of a transfer rings. */
const ringingTime = 30;
/** Milliseconds that a transcription may take. */
const transcriptionPatience = 15_000;

/**
 * One call: moves audio and events between the room, voice activity, turn-taking and Parley. Turn-taking decides; this carries
 * out.
 */
export class Call implements RunningJob {
  readonly over: Promise<void>;
  readonly roomName: string;
  readonly #options: CallOptions;
  readonly #log: Log;
  readonly #room = new Room();
  readonly #playback: Playback;
  readonly #activity: VoiceActivity;
  readonly #recent = new RecentAudio();
  readonly #startedAt = performance.now();
  readonly #ending = Promise.withResolvers<Ending>();
  readonly #abort = new AbortController();
  readonly #caller = Promise.withResolvers<RemoteParticipant>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #transcriptions = new Map<number, AbortController>();
  readonly #inbox: TurnEvent[] = [];
  #isTelling = false;
  #isEnding = false;
  #isSessionOver = false;
  #track: LocalAudioTrack | undefined;
  #callerIdentity: string | undefined;
  #callerTrack: string | undefined;
  #opening: Promise<ParleySession> | undefined;
  #session: ParleySession | undefined;
  /** Undefined until the conversation begins. */
  #state: TurnState | undefined;
  #wakeTimer: NodeJS.Timeout | undefined;
  #turns: Promise<void> = Promise.resolve();
  /** The number of the last stored turn. */
  #lastTurn = -1;
  #said: SaidLine[] = [];
  #lines = 0;
  /** The address to which the caller is being put through. The conversation waits for what comes of it. */
  #transferTo: string | undefined;
  /** The address to which the caller is put through once the conversation is over, such as at a limit. */
  #transferAfter: string | undefined;
  #isCallerGone = false;
  /** Settled and replaced when a line is over. */
  #lineOver = Promise.withResolvers<void>();
  #windowsWaiting: Int16Array[] = [];
  #windowsDropped = 0;
  #isHearing = false;
  #lastSpeechAt = 0;
  #transcribedAt = 0;
  #times: TurnTimes | undefined;

  constructor(options: CallOptions) {
    const { assignment, model, log } = options;
    this.#options = options;
    this.roomName = assignment.room;
    this.#log = logWith(log, { room: assignment.room });
    this.#activity = new VoiceActivity(model);
    this.#playback = new Playback({
      speak: (text, signal) => this.#openSession.say(text, signal),
      played: (line) => this.#linePlayed(line),
      started: ({ text }) => {
        this.#soundStarted();
        this.#caption(text);
      },
      failed: (error) => this.#fail(error),
      log: this.#log,
    });
    this.over = this.#run();
  }

  /** True once Parley knows that this worker plays the session. */
  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** True once Parley has ended the session: only the last lines play. */
  get isSessionOver(): boolean {
    return this.#isSessionOver;
  }

  /** Leaves the call to another worker. */
  leave(reason: string): void {
    if (this.#isEnding) return;
    this.#log('leaves', { reason });
    this.#end('left');
  }

  terminate(): void {
    this.leave('LiveKit has ended the job');
  }

  get #openSession(): ParleySession {
    if (!this.#session) throw new Error('The session is not open yet.');
    return this.#session;
  }

  get #now(): number {
    return performance.now() - this.#startedAt;
  }

  async #run(): Promise<void> {
    const beginning = this.#converse();
    try {
      // A rejection of either ends the call.
      await Promise.race([beginning, this.#ending.promise]);
      const ending = await this.#ending.promise;
      await this.#close(beginning);
      await this.#carryOutEnding(ending);
    } catch (error) {
      const hasBegun = this.#state !== undefined;
      await this.#close(beginning);
      // Whoever never heard an agent gets the line back, instead of silence.
      if (!hasBegun) await this.#deleteRoom();
      throw error;
    }
  }

  async #close(beginning: Promise<void>): Promise<void> {
    this.#isEnding = true;
    this.#abort.abort();
    clearTimeout(this.#wakeTimer);
    // A room that is being joined cannot be left yet.
    await Promise.allSettled([beginning]);
    await this.#playback.close();
    await this.#room.disconnect();
    forget(this.#room);
    await this.#track?.close(false);
    this.#log('closed', { seconds: Math.round(this.#now / 1000) });
  }

  /** Joins the room and begins the conversation. It goes on by events. */
  async #converse(): Promise<void> {
    const { metadata } = this.#options.assignment;
    const webPurpose = purposeIn(metadata);
    const opening = webPurpose && this.#open(webPurpose);
    opening?.catch((error: unknown) => this.#fail(error));
    await this.#join();
    const caller = await this.#waitForCaller();
    if (!caller) return;
    const session = await (opening ?? this.#open(purposeOfPhoneCall(caller, metadata)));
    await Promise.race([this.#ready.promise, this.#ending.promise]);
    if (this.#isEnding) return;
    this.#log('begins', {
      session: session.sessionId,
      isResumed: session.isResumed,
      afterMs: Math.round(this.#now),
    });
    this.#follow(startTurns(this.#now));
    const turns = session.isResumed ? await session.turns(this.#abort.signal) : [];
    const last = turns.at(-1);
    if (last) this.#repeat(last, session.resumeLine);
    else this.#play({ start: true });
  }

  #open(purpose: CallPurpose): Promise<ParleySession> {
    this.#opening = this.#opened(purpose);
    return this.#opening;
  }

  async #opened(purpose: CallPurpose): Promise<ParleySession> {
    const { parley, worker } = this.#options;
    this.#session = await parley.open(this.roomName, worker, purpose);
    return this.#session;
  }

  async #join(): Promise<void> {
    const { url, token } = this.#options.assignment;
    this.#followRoom();
    await this.#room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    this.#track = LocalAudioTrack.createAudioTrack('agent', this.#playback.source);
    for (const participant of this.#room.remoteParticipants.values()) this.#meet(participant);
    await this.#room.localParticipant?.publishTrack(this.#track, options);
  }

  #followRoom(): void {
    this.#room
      .on(RoomEvent.ParticipantConnected, (participant) => this.#meet(participant))
      .on(RoomEvent.ParticipantAttributesChanged, (_changed, { identity }) => {
        const participant = this.#room.remoteParticipants.get(identity);
        if (participant && identity === this.#callerIdentity) this.#checkReady(participant);
      })
      .on(RoomEvent.ParticipantDisconnected, ({ identity, disconnectReason }) => {
        // Who joins again under the same identity replaces themselves.
        if (identity === this.#callerIdentity && disconnectReason !== DisconnectReason.DUPLICATE_IDENTITY)
          this.#callerGone();
      })
      .on(RoomEvent.TrackSubscribed, (track, publication, { identity }) => {
        const isScreen = publication.source === TrackSource.SOURCE_SCREENSHARE_AUDIO;
        if (identity === this.#callerIdentity && !isScreen) this.#listen(track);
      })
      .on(RoomEvent.DtmfReceived, (_code, digit, { identity }) => {
        if (identity === this.#callerIdentity) this.#tell({ kind: 'digit', digit });
      })
      .on(RoomEvent.Disconnected, (reason) => this.#disconnected(reason));
  }

  /** The first participant who is a person is the caller. */
  #meet(participant: RemoteParticipant): void {
    const { kind, identity, trackPublications } = participant;
    if (this.#callerIdentity !== undefined) return;
    if (kind !== ParticipantKind.STANDARD && kind !== ParticipantKind.SIP) return;
    this.#callerIdentity = identity;
    this.#caller.resolve(participant);
    this.#checkReady(participant);
    for (const { track } of trackPublications.values()) if (track) this.#listen(track);
  }

  /** A caller in a browser is there at once; one on the telephone once the call is answered. */
  #checkReady({ attributes }: RemoteParticipant): void {
    const status = attributes['sip.callStatus'];
    if (status === undefined || status === 'active' || status === 'automation') this.#ready.resolve();
  }

  async #waitForCaller(): Promise<RemoteParticipant | undefined> {
    const wait = new AbortController();
    const alone = delay(callerPatience, undefined, {
      signal: AbortSignal.any([wait.signal, this.#abort.signal]),
    });
    const caller = await Promise.race([this.#caller.promise, alone.catch(() => undefined)]);
    wait.abort();
    if (!caller) this.#callerLeft();
    return caller;
  }

  /** A caller who is put through leaves this room, so only the outcome of the transfer says what that means. */
  #callerGone(): void {
    this.#isCallerGone = true;
    if (this.#transferTo === undefined) this.#callerLeft();
  }

  #callerLeft(): void {
    this.#log('caller-left');
    this.#tell({ kind: 'hungUp' });
    this.#end('callerLeft');
  }

  #disconnected(reason: DisconnectReason): void {
    const isOver = reason === DisconnectReason.ROOM_DELETED || reason === DisconnectReason.ROOM_CLOSED;
    if (!this.#isEnding) this.#log('disconnected', { reason: DisconnectReason[reason] });
    this.#end(isOver ? 'callerLeft' : 'left');
  }

  /** Ends the call here, unless it is ending already. */
  #end(ending: Ending): void {
    this.#isEnding = true;
    this.#ending.resolve(ending);
  }

  /** Ends the call here by an error. Parley sends another worker, because this one no longer reports the room. */
  #fail(error: unknown): void {
    this.#isEnding = true;
    this.#ending.reject(error instanceof Error ? error : new Error(String(error)));
  }

  async #carryOutEnding(ending: Ending): Promise<void> {
    if (ending === 'left') return;
    const ends = [this.#deleteRoom()];
    if (ending === 'callerLeft' && this.#opening) ends.push(this.#opening.then((session) => session.end()));
    for (const result of await Promise.allSettled(ends))
      if (result.status === 'rejected') this.#log('end-failed', { reason: messageOf(result.reason) });
  }

  /** Only this hangs up the telephone of a caller. */
  async #deleteRoom(): Promise<void> {
    const { rooms } = this.#options;
    const [open] = await rooms.listRooms([this.roomName]);
    if (open) await rooms.deleteRoom(this.roomName);
  }

  // Audio of the caller

  /** Hears a track until it ends or another one replaces it. */
  #listen(track: RemoteTrack): void {
    if (track.kind !== TrackKind.KIND_AUDIO || track.sid === this.#callerTrack) return;
    this.#callerTrack = track.sid;
    this.#receive(track).catch((error: unknown) => this.#fail(error));
  }

  async #receive(track: RemoteTrack): Promise<void> {
    const windows = new Windows();
    const stream = new AudioStream(track, { sampleRate: hearingRate, numChannels: 1, frameSizeMs: 32 });
    const reader = stream.getReader();
    const stop = () => void reader.cancel();
    this.#abort.signal.addEventListener('abort', stop, { once: true });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (track.sid !== this.#callerTrack) {
        await reader.cancel();
        break;
      }
      this.#windowsWaiting.push(...windows.take(value.data));
      this.#dropLateWindows();
      if (!this.#isHearing) this.#hear().catch((error: unknown) => this.#fail(error));
    }
    this.#abort.signal.removeEventListener('abort', stop);
  }

  /** A process that cannot keep up must not collect audio. */
  #dropLateWindows(): void {
    const late = this.#windowsWaiting.length - mostWindowsWaiting;
    if (late <= 0) return;
    this.#windowsWaiting.splice(0, late);
    this.#windowsDropped += late;
  }

  async #hear(): Promise<void> {
    this.#isHearing = true;
    for (let window = this.#windowsWaiting.shift(); window; window = this.#windowsWaiting.shift()) {
      const speech = await this.#activity.hear(window);
      const at = this.#now;
      this.#recent.add(window, at);
      if (speech >= speechProbability) this.#lastSpeechAt = at;
      this.#tell({ kind: 'audio', speech }, at);
    }
    this.#isHearing = false;
    if (this.#windowsDropped > 0) this.#log('audio-dropped', { windows: this.#windowsDropped });
    this.#windowsDropped = 0;
  }

  // Turn-taking

  /** Tells turn-taking what has happened, and carries out what it decides. */
  #tell(event: Untimed, at = this.#now): void {
    if (!this.#state || this.#abort.signal.aborted) return;
    this.#inbox.push({ ...event, at });
    // A command may cause the next event, which waits until all commands are carried out.
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let first = this.#inbox.shift(); first; first = this.#inbox.shift())
        this.#follow(takeTurn(this.#state, first));
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isTelling = false;
    }
  }

  #follow({ state, commands, wakeAt }: TurnOutcome): void {
    this.#state = state;
    for (const command of commands) this.#carryOut(command);
    clearTimeout(this.#wakeTimer);
    if (wakeAt === undefined) return;
    this.#wakeTimer = setTimeout(
      () => this.#tell({ kind: 'tick' }),
      Math.max(0, Math.ceil(wakeAt - this.#now)),
    );
  }

  #carryOut(command: TurnCommand): void {
    switch (command.kind) {
      case 'play':
        this.#playback.play(command.line);
        break;
      case 'pause':
        this.#playback.pause();
        break;
      case 'resume':
        this.#playback.resume();
        break;
      case 'cut':
        this.#cut();
        break;
      case 'transcribe':
        this.#transcribe(command).catch((error: unknown) => this.#fail(error));
        break;
      case 'send':
        this.#send(command.turn);
        break;
      case 'hangUp':
        this.#hangUp().catch((error: unknown) => this.#fail(error));
        break;
    }
  }

  #cut(): void {
    for (const { line, text } of this.#playback.cut()) {
      const said = this.#said.find((one) => one.line.id === line.id);
      if (said) Object.assign(said, { heardText: text, isCut: true });
    }
    this.#endLine();
  }

  #endLine(): void {
    this.#lineOver.resolve();
    this.#lineOver = Promise.withResolvers<void>();
  }

  #linePlayed(line: Line): void {
    const said = this.#said.find((one) => one.line.id === line.id);
    if (said) said.isHeard = true;
    this.#endLine();
    this.#tell({ kind: 'played', line: line.id });
  }

  /** Transcribes an utterance. If that fails twice, the caller counts as not understood, so that the call goes on. */
  async #transcribe({ utterance, from, to }: Extract<TurnCommand, { kind: 'transcribe' }>): Promise<void> {
    this.#transcriptions.get(utterance)?.abort();
    const replaced = new AbortController();
    this.#transcriptions.set(utterance, replaced);
    const wav = wavOf(this.#recent.between(from, to));
    const stopped = AbortSignal.any([replaced.signal, this.#abort.signal]);
    let text = '';
    for (let attempt = 1; attempt <= 2; attempt++) {
      try {
        const signal = AbortSignal.any([stopped, AbortSignal.timeout(transcriptionPatience)]);
        text = await this.#openSession.transcribe(wav, signal);
        break;
      } catch (error) {
        if (stopped.aborted) return;
        this.#log('transcription-failed', { attempt, reason: messageOf(error) });
      }
    }
    if (stopped.aborted) return;
    this.#transcriptions.delete(utterance);
    this.#transcribedAt = this.#now;
    this.#tell({ kind: 'transcribed', utterance, to, text });
  }

  // The conversation

  #send(turn: SentTurn): void {
    if ('text' in turn) this.#caption(turn.text, this.#callerIdentity);
    const kind = 'text' in turn ? 'text' : 'digits' in turn ? 'digits' : 'silent';
    this.#times = {
      kind,
      speechEnd: kind === 'text' ? this.#lastSpeechAt : undefined,
      transcribed: this.#transcribedAt,
      sent: this.#now,
    };
    this.#play({ ...turn, messageId: randomUUID() });
  }

  /** Plays a turn once the one before is over. */
  #play(turn: CallerTurn): void {
    this.#turns = this.#turns
      .then(() => this.#playTurn(turn))
      .catch((error: unknown) => {
        if (this.#abort.signal.aborted) return;
        this.#log('turn-failed', { reason: messageOf(error) });
        // No turn is stored whose lines could be reported as heard.
        this.#said = [];
        this.#tell({ kind: 'turnFailed' });
      });
  }

  async #playTurn(turn: CallerTurn): Promise<void> {
    const heard = 'transferred' in turn ? undefined : this.#heard();
    this.#said = [];
    this.#playback.forgetPrepared();
    const events = this.#openSession.play({ ...turn, ...(heard && { heard }) }, this.#abort.signal);
    for await (const event of events) {
      if (this.#times) this.#times.firstEvent ??= this.#now;
      if (event.event === 'error') throw new Error(`Parley reports ${event.error.code}.`);
      this.#conversationEvent(event, this.#lastTurn + 1);
    }
  }

  #conversationEvent(event: SessionEvent, turn: number): void {
    switch (event.event) {
      case 'say':
        this.#say(event.text, event.interruptible ?? true, turn);
        break;
      case 'listen': {
        const { expects, silence, digits } = event;
        this.#tell({ kind: 'listen', expects, silence, ...(digits && { digits }) });
        break;
      }
      case 'transfer':
        this.#log('transfer', { kind: event.kind, isAwaited: event.isAwaited ?? false });
        if (event.isAwaited) this.#transferTo = event.value;
        else if (event.handedOver === false) this.#transferAfter = event.value;
        break;
      case 'end':
        this.#isSessionOver = true;
        this.#tell({ kind: 'end' });
        break;
      case 'done':
        this.#lastTurn = event.turn;
        // The outcome of a transfer belongs to the same turn, as the caller sees it.
        if (this.#transferTo === undefined) this.#tell({ kind: 'turnDone' });
        else this.#transfer(this.#transferTo).catch((error: unknown) => this.#fail(error));
        break;
      case 'error':
        break;
    }
  }

  #say(text: string, interruptible: boolean, turn: number): void {
    const line: Line = { id: this.#lines++, turn, text, interruptible };
    this.#said.push({ line, isHeard: false, isCut: false, heardText: '' });
    this.#playback.prepare(line);
    this.#tell({ kind: 'say', line });
  }

  /** Puts the caller through once they have heard the lines before, and tells Parley whether that worked. */
  async #transfer(to: string): Promise<void> {
    const limit = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(linesPatience)]);
    const isLimit = once(limit, 'abort');
    while (!limit.aborted && this.#said.some(({ isHeard, isCut }) => !isHeard && !isCut))
      await Promise.race([this.#lineOver.promise, isLimit]);
    if (this.#abort.signal.aborted) return;
    const reason = await this.#refer(to);
    this.#transferTo = undefined;
    this.#log('transferred', { reason });
    if (reason !== undefined && this.#isCallerGone) this.#callerLeft();
    else {
      const outcome = reason === undefined ? { transferred: true } : { transferred: false, reason };
      this.#play({ ...outcome, messageId: randomUUID() });
    }
  }

  /** Ends the call, whose last line is heard. Whoever was promised somebody else is put through first. */
  async #hangUp(): Promise<void> {
    if (this.#transferAfter !== undefined)
      this.#log('transferred', { reason: await this.#refer(this.#transferAfter) });
    this.#end('hungUp');
  }

  /** Asks the caller's telephone company to put them through. Returns why it failed; undefined if it worked. */
  async #refer(to: string): Promise<string | undefined> {
    const { identity, kind } = await this.#caller.promise;
    if (kind !== ParticipantKind.SIP) return 'the caller is not on the telephone';
    const target = to.startsWith('sip:') ? to : `tel:${to}`;
    const options = { playDialtone: true, ringingTimeout: ringingTime };
    try {
      await this.#options.sip.transferSipParticipant(this.roomName, identity, target, options);
      return undefined;
    } catch (error) {
      return messageOf(error).slice(0, longestReason);
    }
  }

  /** Continues the call of a worker that has gone: says the lines of the last turn again. */
  #repeat({ turn, events }: StoredTurn, resumeLine: string | null): void {
    this.#lastTurn = turn;
    if (resumeLine !== null) {
      // No line of the session, so nothing is reported of it.
      const line: Line = { id: this.#lines++, turn, text: resumeLine, interruptible: true };
      this.#playback.prepare(line);
      this.#tell({ kind: 'say', line });
    }
    for (const event of events) this.#conversationEvent(event, turn);
    if (!events.some(({ event }) => event === 'done')) this.#tell({ kind: 'turnDone' });
  }

  /** What the caller heard of the last turn, if they did not hear it to its end. */
  #heard(): CallerTurn['heard'] {
    const cut = this.#said.findIndex(({ isHeard }) => !isHeard);
    if (cut === -1) return undefined;
    const lines = this.#said.slice(0, cut).map(({ line }) => line.text);
    const text = [...lines, this.#said[cut]?.heardText ?? ''].join(' ').trimEnd();
    return { turn: this.#lastTurn, text };
  }

  /**
   * Shows what is said to everybody in the room, as LiveKit's agents do.
   * @param speaker the identity of who says it; this agent by default
   */
  #caption(text: string, speaker?: string): void {
    const attributes = {
      'lk.segment_id': randomUUID(),
      'lk.transcription_final': 'true',
      ...(speaker !== undefined && { 'lk.transcribed_participant_identity': speaker }),
    };
    this.#room.localParticipant
      ?.sendText(text, { topic: 'lk.transcription', attributes })
      .catch((error: unknown) => this.#log('caption-failed', { reason: messageOf(error) }));
  }

  /** Reports how long the stages of a turn took, at its first sound. */
  #soundStarted(): void {
    if (!this.#times) return;
    const { kind, speechEnd, transcribed, sent, firstEvent = sent } = this.#times;
    this.#times = undefined;
    const now = this.#now;
    this.#log('turn', {
      kind,
      ...(speechEnd !== undefined && {
        transcribedMs: Math.round(transcribed - speechEnd),
        sentMs: Math.round(sent - speechEnd),
        totalMs: Math.round(now - speechEnd),
      }),
      eventMs: Math.round(firstEvent - sent),
      soundMs: Math.round(now - firstEvent),
    });
  }
}

/**
 * Stops listening for events of a room that is left. If the server closed it, rtc-node 0.13.35 does not: `disconnect` does
 * nothing then, and each room of the past would see each event of all others.
 */
function forget(room: Room): void {
  const events = Reflect.get(globalThis, '_ffiClientInstance') as EventEmitter | undefined;
  const { onFfiEvent } = room as unknown as { onFfiEvent: (event: unknown) => void };
  events?.off('ffi_event', onFfiEvent);
  room.removeAllListeners();
}

/** The metadata of a job for a web call, or of one that takes over a call. */
interface Metadata {
  readonly projectId?: string;
  readonly webAgentId?: string;
  readonly conversationId?: string;
  readonly version?: number;
  readonly phoneNumberId?: string;
  readonly web?: CallPurpose['web'];
  readonly phone?: CallPurpose['phone'];
}

function metadataIn(text: string): Metadata {
  return text.trim() === '' ? {} : (JSON.parse(text) as Metadata);
}

/** What a job says the room is for; undefined for a telephone call, which needs the number of the caller too. */
function purposeIn(text: string): CallPurpose | undefined {
  const { projectId, webAgentId, conversationId, version, web, phone } = metadataIn(text);
  const project = projectId === undefined ? {} : { projectId };
  if (web) return { ...project, web };
  if (phone) return { ...project, phone };
  if (webAgentId === undefined || conversationId === undefined || version === undefined) return undefined;
  return { ...project, web: { webAgentId, conversationId, version } };
}

/** LiveKit's SIP service writes the number of the caller into their attributes, unless they hide it. */
function purposeOfPhoneCall({ kind, attributes }: RemoteParticipant, text: string): CallPurpose {
  if (kind !== ParticipantKind.SIP)
    throw new Error('The metadata of the job names no web agent, and the caller is not on the telephone.');
  const { projectId, phoneNumberId } = metadataIn(text);
  if (phoneNumberId === undefined) throw new Error('The metadata of the job names no phone number.');
  const callerPhone = attributes['sip.phoneNumber'] || null;
  return { ...(projectId !== undefined && { projectId }), phone: { phoneNumberId, callerPhone } };
}
