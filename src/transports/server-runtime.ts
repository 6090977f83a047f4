import type { ParleyEnvironment } from '../environment/context.ts';
import type { Admission } from '../operation/context.ts';
import type { Runtime } from '../operation/runtime.ts';
import type { SecretRequest } from '../resources/secrets/request-store.ts';
import type { SessionRuntime, Visitor } from '../resources/sessions/playing/session-runtime.ts';
import type { OpenedToken } from '../resources/sessions/session-token.ts';
import type { AddressedUpload } from '../resources/uploads/store.ts';
import type { VoiceCalls } from '../resources/voice-calls/voice-calls.ts';
import type { RecordState, WatchedRecord } from '../store/resource-states.ts';
import type { HeldTask } from '../store/tasks.ts';

export type { SecretRequest };

/** Everything that the transports need from outside, besides what the kernel needs. */
export interface ServerRuntime extends Runtime<ParleyEnvironment>, SessionRuntime {
  /** Counts a request of a visitor against the rate limits of the session and its project. */
  admitVisitor(visitor: Visitor): Promise<Admission>;
  /** Checks the token of a session; undefined if this installation did not sign it. */
  openSessionToken(token: string): Promise<OpenedToken | undefined>;
  /** The request whose address holds the token with this SHA-256, as long as it waits for its secret. */
  findSecretRequest(tokenHash: Buffer): Promise<SecretRequest | undefined>;
  /** Says that the tasks of these keys still run here. Returns the ids of those that may go on. */
  renewTasks(held: readonly HeldTask[]): Promise<string[]>;
  /** The states of records of any projects, in their order. */
  recordStates(records: readonly WatchedRecord[]): Promise<RecordState[]>;
  /** The upload whose address holds the token with this SHA-256. */
  findUpload(tokenHash: Buffer): Promise<AddressedUpload | undefined>;
  /** The calls that voice workers play. */
  readonly voiceCalls: VoiceCalls;
  /** The credential of voice workers. It follows from the secret of the installation. */
  readonly voiceKey: string;
  /** True for the credential of voice workers, also that of an older secret. */
  isVoiceKey(credential: string): boolean;
}
