import type { HookPhase } from '../design/schema/design.ts';
import type { AnswerKind } from '../design/schema/steps.ts';
import type { SystemVariableName } from '../design/system-variables.ts';
import type { Json } from './json-value.ts';
import type { HttpRequest } from './requests.ts';
import type { CalendarWish } from './slots.ts';

/** The place that a call has reached: a step, or a node of a hook. */
export interface Position {
  readonly at: 'step' | HookPhase;
  readonly id: string;
}

/** One turn of the conversation. */
export interface Turn {
  readonly who: 'agent' | 'caller';
  readonly text: string;
  /** What the caller has heard of a line that they have interrupted. Absent: all of it. */
  readonly heard?: string;
}

/** Why a call ended. `limit`: the call has reached one of its limits (`CallLimit`). */
export const endReasons = [
  'completed',
  'hungUp',
  'transferred',
  'transferFailed',
  'failed',
  'limit',
] as const;
export type EndReason = (typeof endReasons)[number];

/** What the platform knows about a call, by the names of the one list of system variables. */
export type SystemValues = Readonly<Partial<Record<SystemVariableName, Json>>>;

/** Something that the engine asks its driver for. Ids are numbered, so that a replay has the same ones. */
export type Effect =
  | { readonly kind: 'say'; readonly text: string; readonly step: string }
  | { readonly kind: 'listen'; readonly step: string }
  | ({ readonly kind: 'understand'; readonly id: string } & Understanding)
  | {
      readonly kind: 'search';
      readonly id: string;
      readonly query: string;
      readonly knowledgeIds: readonly string[];
    }
  | ({
      readonly kind: 'request';
      readonly id: string;
      readonly node: string;
      /** The URL with a mark in place of each value (`fillUrl`). */
      readonly outline: string;
    } & HttpRequest)
  | {
      readonly kind: 'sms';
      readonly id: string;
      readonly node: string;
      readonly to: string;
      readonly message: string;
    }
  | {
      readonly kind: 'crmLookup';
      readonly id: string;
      readonly node: string;
      readonly integration: string;
      readonly phone?: string;
      readonly email?: string;
      /** What the design takes of the contact. */
      readonly fields: readonly string[];
    }
  | {
      readonly kind: 'crmWrite';
      readonly id: string;
      readonly node: string;
      readonly integration: string;
      readonly contact: string;
      readonly operations: Json;
    }
  | ({
      readonly kind: 'calendar';
      readonly id: string;
      /** The step or the hook node. */
      readonly node: string;
      readonly integration: string;
      /** The instant at which the call has arrived, in ISO 8601; empty if the call does not say when it started. */
      readonly now: string;
      readonly title: string;
      readonly name?: string;
      readonly phone?: string;
      readonly email?: string;
      /** The reference of the appointment to move or cancel. */
      readonly booking?: string;
    } & CalendarWish)
  | {
      readonly kind: 'transfer';
      readonly id: string;
      readonly destination: { readonly kind: string; readonly value: string };
      readonly mode: 'cold' | 'warm';
    }
  | { readonly kind: 'end'; readonly reason: EndReason };

/** What somebody has to understand, or to write. */
export type UnderstandEffect = Extract<Effect, { kind: 'understand' }>;

/** The knowledge bases that somebody has to search. */
export type SearchEffect = Extract<Effect, { kind: 'search' }>;

/** What leaves Parley: a request, a text message, a call of a CRM, the use of a calendar. */
export type OutwardEffect = Extract<
  Effect,
  { kind: 'request' | 'sms' | 'crmLookup' | 'crmWrite' | 'calendar' }
>;

/** A transfer that somebody has to carry out. */
export type TransferEffect = Extract<Effect, { kind: 'transfer' }>;

/** What a call waits for until somebody has performed it. */
export type PendingEffect = UnderstandEffect | SearchEffect | OutwardEffect | TransferEffect;

/** Something that a caller may ask for at any step. */
export interface CommandOption {
  /** One of `knownCommands`, or an id of the design. */
  readonly id: string;
  /** Empty for a known command, unless the design says more about it. */
  readonly description: string;
}

/**
 * A value that a turn gives and an item does not take. `incomplete`: a telephone number that lacks digits; `impossible`: a day
 * that the calendar does not have; `closed`: a day outside the hours in the item's description; `tooMany`: a number above the
 * most that the description names.
 */
export type Rejected = {
  readonly variableId: string;
  readonly why: 'incomplete' | 'impossible' | 'closed' | 'tooMany';
  /** The hours, for `closed`. */
  readonly hours?: string;
};

/** A value that a turn may bring. */
export interface Wanted {
  readonly variableId: string;
  readonly description: string;
  readonly expects?: AnswerKind;
  /** True if the agent has just asked for it. */
  readonly asked: boolean;
  /** What the call has noted before. Only a clear correction changes it. */
  readonly value?: Json;
}

/** What a turn of the caller is read for, or what a model writes. `step` is the step that asks, or the hook node. */
export type Understanding = {
  readonly step: string;
  readonly text: string;
  readonly history: readonly Turn[];
  /** What the turn may ask for in place of an answer; absent if nobody has just spoken. */
  readonly commands?: readonly CommandOption[];
} & (
  | { readonly reads: 'consent' }
  | {
      readonly reads: 'route';
      readonly options: readonly {
        readonly id: string;
        readonly title: string;
        readonly description: string;
        /** True if the option leads nowhere: choosing it speaks its description. */
        readonly speaks?: boolean;
      }[];
      /** What the call has noted before, if the turn may correct it. */
      readonly wanted?: readonly Wanted[];
      readonly today?: string;
    }
  | {
      /** `confirm`: the agent has read back what it has noted, and the turn agrees, refuses or corrects. */
      readonly reads: 'collect' | 'confirm';
      readonly wanted: readonly Wanted[];
      /** The date on which the call takes place, YYYY-MM-DD: what "tomorrow" refers to. */
      readonly today?: string;
    }
  /** `values` are those of the placeholders of `instruction`. A caller may have chosen them, so they are not part of it. */
  | {
      readonly reads: 'answer';
      readonly instruction: string;
      readonly values: Readonly<Record<string, Json>>;
      readonly passages: readonly string[];
      /** The model that the step names. */
      readonly model?: string;
      /** What the caller has said before the last turn, newest first, if the step has just been entered. */
      readonly earlier?: readonly string[];
    }
  | {
      readonly reads: 'message';
      readonly instruction: string;
      readonly values: Readonly<Record<string, Json>>;
    }
  | { readonly reads: 'values'; readonly prompts: Readonly<Record<string, string>> }
);

/** What `finished` brings for each kind of effect. `command`: what the caller asks for in place of an answer. */
export type Understood = { readonly command?: string | null } & (
  | {
      /** null: unclear. */
      readonly consent: boolean | null;
      readonly values?: Readonly<Record<string, Json>>;
      readonly corrected?: string[];
      readonly rejected?: readonly Rejected[];
      readonly asks?: boolean;
    }
  /** null: none of the options. `asks`: the caller asks something instead. */
  | {
      readonly option: string | null;
      readonly asks?: boolean;
      readonly values?: Readonly<Record<string, Json>>;
      readonly corrected?: string[];
    }
  | {
      readonly values: Readonly<Record<string, Json>>;
      /** Those of `values` that change what was noted before. */
      readonly corrected?: string[];
      /** What the turn gives and cannot be noted, such as a day that does not exist. */
      readonly rejected?: readonly Rejected[];
      /** True if the caller asks something. */
      readonly asks?: boolean;
    }
  /** `done`: the caller asks nothing more. `asks`: false if the turn was no question. */
  | { readonly answered: boolean; readonly text?: string; readonly done?: boolean; readonly asks?: boolean }
  | { readonly text: string }
);

/** What happened, in the order in which it happened: the driver makes transcript, path and coverage from it. */
export type Happening =
  | { readonly kind: 'enters'; readonly position: Position }
  | { readonly kind: 'leaves'; readonly position: Position; readonly exit: string; readonly why: string }
  | { readonly kind: 'heard'; readonly text: string; readonly step: string }
  /** `corrects`: the caller has changed what was noted before. */
  | { readonly kind: 'sets'; readonly variableId: string; readonly value: Json; readonly corrects: boolean }
  | { readonly kind: 'commanded'; readonly command: string; readonly step: string }
  | { readonly kind: 'misses'; readonly name: string; readonly position: Position }
  | { readonly kind: 'fails'; readonly position: Position; readonly what: string; readonly reason: string }
  | { readonly kind: 'limited'; readonly limit: CallLimit }
  | { readonly kind: 'ends'; readonly reason: EndReason; readonly step: string | null };

/** What the call waits for. */
export type Waiting =
  | { readonly for: 'caller' }
  | { readonly for: 'effect'; readonly id: string; readonly kind: PendingEffect['kind'] };

/** The format of {@link CallState}. `readCallState` also reads the one before. */
export const callFormat = 'rt/3';

/** A call between two events: plain JSON, so that any process can go on with it. */
export interface CallState {
  readonly format: typeof callFormat;
  readonly position: Position | null;
  readonly waiting: Waiting | null;
  readonly variables: Readonly<Record<string, Json>>;
  readonly system: SystemValues;
  /** The last `longestHistory` turns. */
  readonly history: readonly Turn[];
  /** Turns of the caller so far. */
  readonly turns: number;
  /** Seconds since the call started, as the driver last reported them. */
  readonly seconds: number;
  /** Steps and nodes entered since the last turn of the caller, and since the end of the conversation. */
  readonly moves: number;
  /** What a model was asked for since the last turn of the caller. */
  readonly readings: number;
  /** Effects with an id so far. */
  readonly effects: number;
  /** What the current step or node has done so far; its shape belongs to the step's kind. */
  readonly progress: Progress;
  /** Why the conversation ended; the hook `after` may still run. */
  readonly ended: { readonly reason: EndReason; readonly step: string | null } | null;
}

/** What a step or node remembers between two events. */
export interface Progress {
  /** How often in a row the step has asked in vain, or how many questions it has answered. */
  readonly count: number;
  /** Silences and questions of the caller in a row, which do not count as attempts. */
  readonly pauses: number;
  /** How far the answer to a question is that the caller has asked in between: `searching`, `answering`, or empty. */
  readonly aside: string;
  /** The variables that the step has asked for one by one; the last one is what its last question was about. */
  readonly asked: readonly string[];
  /** What the step does next when an effect has finished. */
  readonly stage: string;
  /** The index of the block of a node that waits. */
  readonly block: number;
  /** The texts of a model for the values of a block. */
  readonly texts: Readonly<Record<string, Json>>;
}

export const noProgress: Progress = {
  count: 0,
  pauses: 0,
  aside: '',
  asked: [],
  stage: '',
  block: 0,
  texts: {},
};

/** A value that stands for the number from which the caller calls. No model sees that number. */
export const ownNumber = '{{callerPhone}}';

/** Silences and questions of the caller in a row that a step bears before they count as attempts. */
export const mostPauses = 3;
/** Turns that prompts see. */
export const longestHistory = 20;
/** Turns of a caller in one call. */
export const mostTurns = 500;
/** Steps and nodes that a call may enter without a turn of the caller. */
export const mostMoves = 200;
/** What a model may be asked for without a turn of the caller. Steps that lead to each other would ask for ever. */
export const mostReadings = 10;

/** The limits of a single call. `given`: a limit of the driver's client. */
export type CallLimit = 'turns' | 'moves' | 'readings' | 'given';

/** What a driver tells the engine. */
export type CallEvent =
  | {
      readonly type: 'started';
      readonly channel: string;
      readonly system: SystemValues;
      readonly variables?: Readonly<Record<string, Json>> | undefined;
    }
  /** `seconds` since the call started. */
  | { readonly type: 'heard'; readonly text: string; readonly seconds?: number | undefined }
  /** The caller has pressed keys of a telephone. */
  | { readonly type: 'keyed'; readonly digits: string; readonly seconds?: number | undefined }
  | { readonly type: 'silent'; readonly seconds?: number | undefined }
  | { readonly type: 'hungUp'; readonly seconds?: number | undefined }
  /** The call must end, whatever the caller says; null: nothing. */
  | { readonly type: 'limited'; readonly text: string | null; readonly seconds?: number | undefined }
  | { readonly type: 'finished'; readonly id: string; readonly result: Json }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string };

/** What the engine returns for an event. */
export interface Outcome {
  readonly state: CallState;
  readonly effects: readonly Effect[];
  readonly happenings: readonly Happening[];
}
