import {
  ConnectionError,
  DisconnectReason,
  type LocalAudioTrack,
  type RemoteAudioTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  setLogLevel,
  type TextStreamReader,
  Track,
} from 'livekit-client';
import type { CallEnd, CallNews, CallState } from './call-state.ts';

/** The keys of a telephone, each at the place of its code (RFC 4733). */
const dtmfCodes = '0123456789*#';

/** A call in a room. */
export interface CallRoom {
  /** How loud the caller and the agent are now, from 0 to 1. */
  readonly loudness: Readonly<Record<'caller' | 'agent', () => number>>;
  mute(isMuted: boolean): Promise<void>;
  press(key: string): Promise<void>;
  /** Plays the agent's voice after the browser has refused to. The browser wants a click for it. */
  play(): Promise<void>;
}

interface JoinOptions {
  readonly url: string;
  readonly token: string;
  readonly microphone: MediaStreamTrack;
  readonly onNews: (news: CallNews) => void;
  /** Leaves the room, also while it is being joined. */
  readonly signal: AbortSignal;
}

const agentStates: Readonly<Record<string, CallState['agent']>> = {
  listening: 'listening',
  thinking: 'thinking',
  speaking: 'speaking',
};

/**
 * Joins a room of LiveKit and publishes the microphone. It reports the end of the call as news, and rejects only if the room
 * cannot be joined.
 */
export async function joinRoom({ url, token, microphone, onNews, signal }: JoinOptions): Promise<CallRoom> {
  // It warns of what is usual, such as a renegotiation when the agent has just deleted the room.
  setLogLevel('error');
  const room = new Room();
  const meters = new Meters();
  let hasJoined = false;
  // Besides the agent, there is only a person to whom it has put the call through.
  const others = () => [...room.remoteParticipants.values()];
  const reportAgent = () => onNews({ kind: 'room', hasAgent: others().length > 0 });
  const reportActivity = () => {
    const stated = others().flatMap(
      ({ attributes }) => agentStates[attributes['lk.agent.state'] ?? ''] ?? [],
    );
    const heard = others().some(({ isSpeaking }) => isSpeaking) ? 'speaking' : 'listening';
    onNews({ kind: 'agent', does: stated[0] ?? heard });
  };
  const ifSound = (track: RemoteTrack, use: (track: RemoteAudioTrack) => void) => {
    if (track.kind === Track.Kind.Audio) use(track as RemoteAudioTrack);
  };
  room
    .on(RoomEvent.ParticipantConnected, reportAgent)
    .on(RoomEvent.ParticipantDisconnected, reportAgent)
    .on(RoomEvent.SignalReconnecting, () => onNews({ kind: 'interrupted' }))
    .on(RoomEvent.Reconnecting, () => onNews({ kind: 'interrupted' }))
    .on(RoomEvent.Reconnected, reportAgent)
    .on(RoomEvent.ActiveSpeakersChanged, reportActivity)
    .on(RoomEvent.ParticipantAttributesChanged, reportActivity)
    .on(RoomEvent.AudioPlaybackStatusChanged, () =>
      onNews({ kind: 'silenced', isSilenced: !room.canPlaybackAudio }),
    )
    .on(RoomEvent.TrackSubscribed, (track) =>
      ifSound(track, (sound) => {
        sound.attach();
        meters.measure('agent', sound);
      }),
    )
    .on(RoomEvent.TrackUnsubscribed, (track) =>
      ifSound(track, (sound) => {
        sound.detach();
        meters.forget('agent', sound);
      }),
    )
    .on(RoomEvent.Disconnected, (reason) => {
      meters.close();
      // If the room was not joined, connecting rejects.
      if (hasJoined)
        onNews({ kind: 'ended', end: ends[reason ?? DisconnectReason.UNKNOWN_REASON] ?? connectionLost });
    });
  room.registerTextStreamHandler('lk.transcription', (reader, { identity }) => {
    const isMine = (whose: string) => whose === room.localParticipant.identity;
    void reportCaption(
      reader,
      isMine(reader.info.attributes?.['lk.transcribed_participant_identity'] ?? identity),
      onNews,
    );
  });
  const leave = () => void room.disconnect();
  signal.addEventListener('abort', leave, { once: true });
  await room.connect(url, token);
  hasJoined = true;
  reportAgent();
  const publication = await room.localParticipant.publishTrack(microphone, {
    source: Track.Source.Microphone,
  });
  const published = publication.audioTrack as LocalAudioTrack;
  meters.measure('caller', published);
  return {
    loudness: { caller: () => meters.read('caller'), agent: () => meters.read('agent') },
    mute: async (isMuted) => {
      await (isMuted ? published.mute() : published.unmute());
    },
    press: (key) => room.localParticipant.publishDtmf(dtmfCodes.indexOf(key), key),
    play: () => room.startAudio(),
  };
}

/** True if the server was not there, or did not let the caller in. */
export function isConnectionError(thrown: unknown): boolean {
  return thrown instanceof ConnectionError;
}

/** Reports what is said while it arrives. Each stream holds one wording of a segment; later ones replace it. */
async function reportCaption(
  reader: TextStreamReader,
  isMine: boolean,
  onNews: (news: CallNews) => void,
): Promise<void> {
  const { id, attributes = {} } = reader.info;
  const who = isMine ? 'caller' : 'agent';
  const caption = { id: `${who} ${attributes['lk.segment_id'] ?? id}`, who } as const;
  const isFinal = attributes['lk.transcription_final'] === 'true';
  let text = '';
  try {
    for await (const piece of reader) {
      text += piece;
      onNews({ kind: 'caption', caption: { ...caption, text, isFinal } });
    }
  } catch {
    // The sender has left in the middle, so this is all that there will be.
    if (text !== '') onNews({ kind: 'caption', caption: { ...caption, text, isFinal: true } });
  }
}

const connectionLost: CallEnd = { kind: 'connectionLost' };
/** Any other reason means that the connection is lost. */
const ends: Partial<Record<DisconnectReason, CallEnd>> = {
  [DisconnectReason.CLIENT_INITIATED]: { kind: 'hungUp' },
  [DisconnectReason.ROOM_DELETED]: { kind: 'agentHungUp' },
  [DisconnectReason.ROOM_CLOSED]: { kind: 'agentHungUp' },
  [DisconnectReason.PARTICIPANT_REMOVED]: { kind: 'agentHungUp' },
  [DisconnectReason.AGENT_ERROR]: { kind: 'agentLost' },
  [DisconnectReason.SERVER_SHUTDOWN]: { kind: 'serverStopped' },
  [DisconnectReason.DUPLICATE_IDENTITY]: { kind: 'otherWindow' },
};

type Side = 'caller' | 'agent';
type Sound = LocalAudioTrack | RemoteAudioTrack;

/** Decibels below full scale that count as silence, and as loud. */
const quietest = -60;
const loudest = -12;

/** Measures how loud the tracks of a call are. */
class Meters {
  #audio: AudioContext | undefined;
  readonly #sides = new Map<
    Side,
    { readonly track: Sound; readonly source: AudioNode; readonly analyser: AnalyserNode }
  >();

  measure(side: Side, track: Sound): void {
    this.#sides.get(side)?.source.disconnect();
    this.#audio ??= new AudioContext();
    const source = this.#audio.createMediaStreamSource(new MediaStream([track.mediaStreamTrack]));
    const analyser = this.#audio.createAnalyser();
    source.connect(analyser);
    this.#sides.set(side, { track, source, analyser });
  }

  /** Another agent may have joined before the track of the first one ends. */
  forget(side: Side, track: Sound): void {
    const measured = this.#sides.get(side);
    if (measured?.track !== track) return;
    measured.source.disconnect();
    this.#sides.delete(side);
  }

  /** From 0, silent, to 1, loud. */
  read(side: Side): number {
    const analyser = this.#sides.get(side)?.analyser;
    if (!analyser) return 0;
    const samples = new Float32Array(analyser.fftSize);
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    const level = (10 * Math.log10(power) - quietest) / (loudest - quietest);
    return Math.min(1, Math.max(0, level));
  }

  close(): void {
    this.#sides.clear();
    void this.#audio?.close();
  }
}
