import type { KeyType } from '../operation/access.ts';
import type { Caller } from '../operation/context.ts';
import type { RequestSender } from '../platform/outbound/request-sender.ts';
import type { OpenCalendar } from '../services/calendars/calendar-providers.ts';
import type { OpenRoom, WebSession } from '../services/livekit.ts';
import type { CompleteChat } from '../services/models/chat.ts';
import type { ConfirmDisclosure } from '../services/models/disclosure.ts';
import type { EmbedQuestion } from '../services/models/embeddings.ts';
import type { PromptModel } from '../services/models/prompted.ts';
import type { OfferedModels } from '../services/models/routes.ts';
import type { Speak } from '../services/models/speech.ts';
import type { Transcribe } from '../services/models/transcription.ts';
import type { Use } from '../services/models/use.ts';
import type { CrmProvider } from '../services/providers/crm.ts';
import type { SmsProvider } from '../services/providers/sms.ts';
import type { TwilioAccount } from '../services/providers/twilio.ts';
import type { RenderDiagram } from '../services/rendering/renderer.ts';
import type { SealedPiece } from '../store/sealed-file.ts';
import type { SlotHolds } from '../store/slot-holds.ts';

/** A new key: its text, which is shown once, and what is stored of it. */
export interface MintedKey {
  readonly text: string;
  readonly hash: Buffer;
  readonly keyPrefix: string;
  readonly last4: string;
}

/** What the token of a session says. It is signed, not secret: its visitor can read it. */
export interface SessionClaims {
  readonly sessionId: string;
  readonly projectId: string;
  /** Null if a flow answers. */
  readonly conversationId: string | null;
  readonly flowId?: string;
  readonly version: number;
  /** Null for a call of a telephone. */
  readonly webAgentId: string | null;
  readonly channel: 'chat' | 'voice';
  /** The origin of the page that started the session; null if a server did. */
  readonly origin: string | null;
  /** Set if a voice worker plays the session in a room. */
  readonly room?: string;
  /** Set for a call of a telephone. */
  readonly phone?: PhoneCaller;
}

/** Who calls which number. */
export interface PhoneCaller {
  /** Absent for a caller who hides their number. */
  readonly callerPhone?: string;
  readonly calledNumber: string;
}

/** A version whose design can be fetched from an address, and the key for which the address was made. */
export interface AddressedDesign {
  readonly projectId: string;
  readonly keyId: string;
  readonly conversationId: string;
  readonly version: number;
  readonly expiresAt: Date;
}

/** The services of handlers, besides the stores. */
export interface Services {
  /**
   * Waits for a turn of the caller's project, before a piece of synchronous work that may take tens of milliseconds. Such
   * pieces alternate with everything else, and projects take turns, however many calls one of them sends.
   */
  turn(caller: Pick<Caller, 'projectId'>): Promise<void>;
  /** Runs the reads of megabytes of the caller's project one after another, so that they never hold all connections. */
  readInTurn<Result>(caller: Caller, read: () => Promise<Result>): Promise<Result>;
  /** Makes a key. Its text is not stored and cannot be shown again. */
  mintKey(type: KeyType): MintedKey;
  /** Makes a secret that signs webhooks: `whsec_` and base64 (Standard Webhooks 1.0). */
  mintSigningSecret(): string;
  /** Encrypts a secret of the caller's project for one row: a table, and an id or name in it. */
  seal(caller: Pick<Caller, 'projectId'>, table: string, id: string, value: string | Uint8Array): Buffer;
  /** `seal` for a file. Between its pieces, the event loop does everything else. */
  sealFile(
    caller: Pick<Caller, 'projectId'>,
    table: string,
    id: string,
    content: Uint8Array,
  ): Promise<Buffer>;
  /** Makes the address to which a file is sent. Only the hash of its secret part is stored. */
  mintUploadAddress(): { readonly url: string; readonly tokenHash: Buffer };
  /** The address from which the design of a version is fetched without a key. It is signed, and nothing is stored. */
  designAddress(design: AddressedDesign): string;
  /** Makes the address of a page on which a person enters a secret. Only the hash of its secret part is stored. */
  mintSecretAddress(): { readonly url: string; readonly tokenHash: Buffer };
  /** The address of a page of the Studio, by its path below /studio; undefined if nobody has said how people reach the server. */
  studioLink(path: string): string | undefined;
  /** Makes a session that this server plays, with its address and token. Nothing is stored before the visitor comes. */
  mintSession(claims: Omit<SessionClaims, 'sessionId'>, now: Date): Promise<WebSession>;
  /** Removes the file of an upload whose use changed nothing in the database. */
  useUpload(caller: Caller, uploadId: string): Promise<void>;
  /** Decrypts what `seal` returned. */
  open(caller: Pick<Caller, 'projectId'>, table: string, id: string, sealed: Buffer): Buffer;
  /** Decrypts a file piece by piece. It returns nothing before it has authenticated the whole file. */
  openFile(
    caller: Pick<Caller, 'projectId'>,
    table: string,
    id: string,
    sealed: AsyncIterable<SealedPiece>,
  ): Promise<Buffer>;
  /** Signs a text of the caller's project with the key of this installation. The same text has the same signature. */
  sign(caller: Pick<Caller, 'projectId'>, text: string): string;
  /** True if `sign` made this signature for the text, on any replica and with any key that is still configured. */
  isSigned(caller: Pick<Caller, 'projectId'>, text: string, signature: string): boolean;
  /**
   * Asks a model whether each line discloses that an AI speaks; undefined if no model is configured. Throws
   * ToolError `validation_unavailable` if the model does not respond.
   */
  readonly confirmDisclosure: ConfirmDisclosure | undefined;
  /** True if this server plays voice sessions: its models transcribe and speak, and no LiveKit server is there. */
  readonly playsVoice: () => Promise<boolean>;
  /** Makes a room for a voice session. Throws ToolError `internal_error` with status 502 if LiveKit is not configured. */
  readonly openRoom: OpenRoom;
  /** Completes a chat with a model. Throws ToolError, with status 502 if no upstream responds. */
  readonly completeChat: CompleteChat;
  /** The currency of the costs of usage; undefined if no prices are configured. */
  readonly currency: string | undefined;
  /** The chat models that callers may name; `auto` is one of them if it is configured. */
  readonly chatModels: OfferedModels;
  /** Asks the model behind `auto`, or the model that the prompt names, for an answer in a strict form; undefined if no chat model is configured. */
  readonly promptModel: PromptModel | undefined;
  /** Makes speech with a model. Throws ToolError, with status 502 if no upstream responds. */
  readonly speak: Speak;
  /** Transcribes a recording with a model. Throws ToolError, with status 502 if no upstream responds. */
  readonly transcribe: Transcribe;
  /** Makes the vector of a question; undefined if knowledge is searched by words alone. */
  readonly embedQuestion: EmbedQuestion | undefined;
  /** Renders a diagram as SVG or PNG in a worker thread. */
  readonly renderDiagram: RenderDiagram;
  /** Sends the requests of designs to the open internet, and nowhere else. */
  readonly requests: Pick<RequestSender, 'send'>;
  /** Opens an account that sends text messages. */
  readonly openSms: (account: TwilioAccount) => SmsProvider;
  /** Opens a customer relationship management system. Throws ProviderFailure if the provider or a credential is unknown. */
  readonly openCrm: (provider: string, credentials: Readonly<Record<string, string>>) => CrmProvider;
  /** Opens the calendar of an integration. Throws ProviderFailure if the provider or a credential is unknown. */
  readonly openCalendar: OpenCalendar;
  /** Holds times of calendars, so that no two callers of Parley get one slot. */
  readonly slotHolds: Pick<SlotHolds, 'during'>;
  /** Writes a warning to the log, for whoever runs Parley. `facts` must not contain values that a caller sent. */
  warn(facts: Readonly<Record<string, string | number>>, message: string): void;
  /** Records what a call used, in memory; it is written within a second. Never throws. */
  meter(caller: Pick<Caller, 'projectId'>, uses: readonly Use[]): void;
}
