import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoud, speech } from './speech.ts';

/** What callers use of @livekit/rtc-node, which only `voice/` installs. */
interface RoomClient {
  readonly AudioFrame: new (samples: Int16Array, rate: number, channels: number, length: number) => object;
  readonly AudioSource: new (rate: number, channels: number, queueMs: number) => Source;
  readonly AudioStream: new (track: object, rate: number, channels: number) => AsyncIterable<Frame>;
  readonly LocalAudioTrack: { createAudioTrack(name: string, source: Source): object };
  readonly Room: new () => ClientRoom;
  readonly TrackPublishOptions: new (options: { source: number }) => object;
  dispose(): Promise<void>;
}
interface Source {
  captureFrame(frame: object): Promise<void>;
  close(): Promise<void>;
}
interface Frame {
  readonly data: Int16Array;
}
interface ClientRoom {
  readonly localParticipant: {
    publishTrack(track: object, options: object): Promise<unknown>;
    publishDtmf(code: number, digit: string): Promise<void>;
  };
  on(event: 'trackSubscribed', listener: (track: object) => void): void;
  on(event: 'disconnected', listener: (reason: number) => void): void;
  connect(url: string, token: string, options: object): Promise<void>;
  disconnect(): Promise<void>;
}

const voice = createRequire(new URL('../../voice/package.json', import.meta.url));
const rate = 16_000;
/** Samples of 20 ms. */
const frameLength = 320;
/** `TrackSource.SOURCE_MICROPHONE`. */
const microphone = 2;
/** Milliseconds of silence after which the agent has finished: longer than a pause in its speech. */
const endOfSpeech = 700;

let loaded: RoomClient | undefined;

/** Loads the client of rooms. */
async function roomClient(): Promise<RoomClient> {
  loaded ??= (await import(voice.resolve('@livekit/rtc-node'))) as RoomClient;
  return loaded;
}

export async function disposeRoomClient(): Promise<void> {
  await loaded?.dispose();
}

/** Somebody in a room who speaks, and who notes when the agent is heard. Times are those of `performance.now()`. */
export class Caller {
  readonly #client: RoomClient;
  readonly #room: ClientRoom;
  readonly #source: Source;
  #words = new Int16Array(0);
  #spoken = 0;
  #ended = Promise.withResolvers<number>();
  #lastSound = 0;
  #isHere = true;
  /** The reason for which the caller was disconnected (livekit.DisconnectReason). */
  readonly disconnected = Promise.withResolvers<number>();

  static async join(url: string, token: string): Promise<Caller> {
    const client = await roomClient();
    const caller = new Caller(client);
    await caller.#join(url, token);
    return caller;
  }

  private constructor(client: RoomClient) {
    this.#client = client;
    this.#room = new client.Room();
    this.#source = new client.AudioSource(rate, 1, 100);
  }

  /** When the agent was heard last. */
  get lastSound(): number {
    return this.#lastSound;
  }

  async #join(url: string, token: string): Promise<void> {
    const { AudioStream, LocalAudioTrack, TrackPublishOptions } = this.#client;
    this.#room.on('disconnected', (reason) => {
      this.#isHere = false;
      this.disconnected.resolve(reason);
    });
    this.#room.on('trackSubscribed', (track) => void this.#listen(new AudioStream(track, rate, 1)));
    await this.#room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack('microphone', this.#source);
    await this.#room.localParticipant.publishTrack(track, new TrackPublishOptions({ source: microphone }));
    void this.#transmit();
  }

  /** Says a text. Returns when its last sample was sent. */
  async say(text: string): Promise<number> {
    this.#ended = Promise.withResolvers<number>();
    this.#words = speech(text, rate) as Int16Array<ArrayBuffer>;
    this.#spoken = 0;
    return this.#ended.promise;
  }

  async press(digit: string): Promise<void> {
    await this.#room.localParticipant.publishDtmf(Number(digit), digit);
  }

  /** Waits for the first sound of the agent after a moment, and returns when it arrived. */
  async hears(after: number, limit = 15_000): Promise<number> {
    await until(() => this.#lastSound > after, limit, 'the caller hears the agent');
    return this.#lastSound;
  }

  /** Waits until the agent has finished. Returns when it was heard last. */
  async hearsToTheEnd(after: number): Promise<number> {
    await this.hears(after);
    await until(() => performance.now() - this.#lastSound > endOfSpeech, 30_000, 'the agent finishes');
    return this.#lastSound;
  }

  async leave(): Promise<void> {
    this.#isHere = false;
    await this.#room.disconnect();
    await this.#source.close();
  }

  async #listen(stream: AsyncIterable<Frame>): Promise<void> {
    for await (const { data } of stream) if (isLoud(data)) this.#lastSound = performance.now();
  }

  /** Sends what the caller says, and silence between, as a microphone does. */
  async #transmit(): Promise<void> {
    const { AudioFrame } = this.#client;
    let due = performance.now();
    while (this.#isHere) {
      const samples = new Int16Array(frameLength);
      if (this.#spoken < this.#words.length) {
        samples.set(this.#words.subarray(this.#spoken, this.#spoken + frameLength));
        this.#spoken += frameLength;
        if (this.#spoken >= this.#words.length) this.#ended.resolve(performance.now());
      }
      await this.#source.captureFrame(new AudioFrame(samples, rate, 1, frameLength));
      due += 20;
      await delay(Math.max(0, due - performance.now()));
    }
  }
}

/** Looks every 5 ms whether something holds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limit: number,
  what: string,
): Promise<void> {
  for (const end = performance.now() + limit; !(await holds()); await delay(5))
    if (performance.now() > end) throw new Error(`After ${limit} ms, it is not so that ${what}.`);
}
