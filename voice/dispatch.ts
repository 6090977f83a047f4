/**
 * The worker's side of LiveKit's dispatch: it registers, reports load, takes or refuses offers, and runs assigned jobs.
 *
 * LiveKit documents this protocol only by its messages, so `@livekit/protocol` is pinned to the version that
 * livekit-server-sdk needs. test/voice/room.slow.test.ts plays it against a real server; run it after a change of version.
 */
import {
  AvailabilityResponse,
  type Job,
  type JobAssignment,
  JobStatus,
  JobType,
  ParticipantPermission,
  RegisterWorkerRequest,
  ServerMessage,
  UpdateJobStatus,
  UpdateWorkerStatus,
  WorkerMessage,
  WorkerPing,
  WorkerStatus,
} from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';
import { type Log, messageOf } from './log.ts';

/** A room that this worker is to join. */
export interface Assignment {
  readonly jobId: string;
  readonly room: string;
  /** What the room is for, as whoever asked for the agent wrote it. */
  readonly metadata: string;
  readonly url: string;
  readonly token: string;
}

/** A job in progress. */
export interface RunningJob {
  /** Settles when the job is over; rejects if it failed. */
  readonly over: Promise<void>;
  /** LiveKit wants the job to end. */
  terminate(): void;
}

export interface DispatchOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly agentName: string;
  readonly capacity: number;
  readonly run: (assignment: Assignment) => RunningJob;
  readonly log: Log;
}

/** Milliseconds between two pings, which also report the load. */
const pingInterval = 3000;
/** Milliseconds without a message after which the connection counts as lost. */
const connectionPatience = 10_000;
/** Milliseconds for which an accepted offer keeps its place. LiveKit assigns within a second, or to another worker. */
const offerPatience = 5000;
/** LiveKit offers no job to a worker whose load reaches `agents.target_load`, which is 0.7. A full worker says so by its status. */
const fullLoad = 0.6;
/** Milliseconds before the first attempt to connect again, and the longest wait. */
const firstWait = 500;
const longestWait = 10_000;

/** The connection to LiveKit's dispatch. It outlives the server: jobs in progress go on while it connects again. */
export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #jobs = new Map<string, RunningJob>();
  /** Offers that were accepted and not assigned yet, by their job. */
  readonly #accepted = new Map<string, NodeJS.Timeout>();
  #socket: WebSocket | undefined;
  #pinging: NodeJS.Timeout | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #wait = firstWait;
  #lastMessageAt = 0;
  readonly #drained = Promise.withResolvers<void>();
  #isDraining = false;
  #isClosed = false;

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Connects, and goes on connecting until `close`. */
  async connect(): Promise<void> {
    const { url, apiKey, apiSecret } = this.#options;
    const token = new AccessToken(apiKey, apiSecret, { identity: 'worker' });
    token.addGrant({ agent: true });
    const headers = { authorization: `Bearer ${await token.toJwt()}` };
    const socket = new WebSocket(`${url}/agent`, { headers });
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => this.#register());
    socket.addEventListener('message', ({ data }) => {
      this.#lastMessageAt = performance.now();
      this.#receive(ServerMessage.fromBinary(new Uint8Array(data as ArrayBuffer)));
    });
    socket.addEventListener('close', ({ code }) => this.#lose(code));
  }

  /** Takes no more jobs. Settles when those in progress are over. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#reportStatus();
    this.#endDrainIfIdle();
    await this.#drained.promise;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#reconnecting);
    for (const timer of this.#accepted.values()) clearTimeout(timer);
    this.#socket?.close();
  }

  #register(): void {
    const { agentName } = this.#options;
    this.#wait = firstWait;
    this.#lastMessageAt = performance.now();
    const allowedPermissions = new ParticipantPermission({
      canPublish: true,
      canSubscribe: true,
      canPublishData: true,
      agent: true,
    });
    this.#send({
      case: 'register',
      value: new RegisterWorkerRequest({
        type: JobType.JT_ROOM,
        agentName,
        version: '0.1.0',
        pingInterval: pingInterval / 1000,
        allowedPermissions,
      }),
    });
    this.#pinging = setInterval(() => this.#ping(), pingInterval);
  }

  #ping(): void {
    if (performance.now() - this.#lastMessageAt > connectionPatience) {
      this.#socket?.close();
      return;
    }
    this.#send({ case: 'ping', value: new WorkerPing({ timestamp: BigInt(Date.now()) }) });
    this.#reportStatus();
  }

  /** A connection is lost, or could not be opened. */
  #lose(code: number): void {
    clearInterval(this.#pinging);
    if (this.#isClosed) return;
    this.#options.log('dispatch-lost', { code, reconnectInMs: this.#wait, jobs: this.#jobs.size });
    this.#reconnecting = setTimeout(() => void this.connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
  }

  #receive({ message }: ServerMessage): void {
    switch (message.case) {
      case 'register':
        this.#options.log('registered', { liveKitWorker: message.value.workerId });
        this.#reportStatus();
        break;
      case 'availability':
        if (message.value.job) this.#answerOffer(message.value.job);
        break;
      case 'assignment':
        this.#start(message.value);
        break;
      case 'termination':
        this.#options.log('job-terminated', { job: message.value.jobId });
        this.#jobs.get(message.value.jobId)?.terminate();
        break;
      case 'pong':
      case undefined:
        break;
    }
  }

  #answerOffer({ id }: Job): void {
    const available = !this.#isFull();
    if (available) {
      clearTimeout(this.#accepted.get(id));
      this.#accepted.set(
        id,
        setTimeout(() => this.#forgetOffer(id), offerPatience),
      );
    }
    this.#send({
      case: 'availability',
      value: new AvailabilityResponse({
        jobId: id,
        available,
        participantIdentity: `agent-${id}`,
        participantName: this.#options.agentName,
      }),
    });
  }

  /** LiveKit has given the job to another worker. */
  #forgetOffer(id: string): void {
    this.#accepted.delete(id);
    this.#endDrainIfIdle();
  }

  #start({ job, url, token }: JobAssignment): void {
    if (!job?.room) return;
    const { id, room, metadata } = job;
    clearTimeout(this.#accepted.get(id));
    this.#accepted.delete(id);
    const { run, log, url: usualUrl } = this.#options;
    const assignment = { jobId: id, room: room.name, metadata, url: url ?? usualUrl, token };
    const running = run(assignment);
    this.#jobs.set(id, running);
    this.#reportJob(id, JobStatus.JS_RUNNING);
    this.#reportStatus();
    // Without the last status, LiveKit keeps the job for ever.
    running.over.then(
      () => this.#finish(id, JobStatus.JS_SUCCESS),
      (error: unknown) => {
        log('job-failed', { job: id, room: room.name, reason: messageOf(error) });
        this.#finish(id, JobStatus.JS_FAILED, messageOf(error));
      },
    );
  }

  #finish(id: string, status: JobStatus, error = ''): void {
    this.#jobs.delete(id);
    this.#reportJob(id, status, error);
    this.#reportStatus();
    this.#endDrainIfIdle();
  }

  #endDrainIfIdle(): void {
    if (this.#isDraining && this.#jobs.size + this.#accepted.size === 0) this.#drained.resolve();
  }

  #isFull(): boolean {
    return this.#isDraining || this.#jobs.size + this.#accepted.size >= this.#options.capacity;
  }

  #reportStatus(): void {
    const { capacity } = this.#options;
    const status = this.#isFull() ? WorkerStatus.WS_FULL : WorkerStatus.WS_AVAILABLE;
    const load = capacity === 0 ? 1 : (this.#jobs.size / capacity) * fullLoad;
    this.#send({
      case: 'updateWorker',
      value: new UpdateWorkerStatus({ status, load, jobCount: this.#jobs.size }),
    });
  }

  #reportJob(jobId: string, status: JobStatus, error = ''): void {
    this.#send({ case: 'updateJob', value: new UpdateJobStatus({ jobId, status, error }) });
  }

  #send(message: WorkerMessage['message']): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(new WorkerMessage({ message }).toBinary());
  }
}
