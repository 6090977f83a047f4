import type * as v from 'valibot';
import type { ErrorCode, ErrorEnvelope, ErrorProblem } from '../errors.ts';
import type { Access } from './access.ts';
import type {
  Caller,
  Environment,
  OpenContext,
  OutsideContext,
  OwnTransactionContext,
  ProjectStatus,
  ToolContext,
} from './context.ts';
import { numberOrWordOf } from './number-or-word.ts';
import { type Reference, referencesIn } from './reference.ts';
import type { JsonObject, ResultKind, SpecialResult } from './result.ts';
import { fileInputOf } from './upload.ts';

/** Bytes: 256 KiB, the largest request unless an operation states another (`service-api#limits`). */
export const defaultBodyLimit = 262_144;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names between braces in a path. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Where REST takes an input from, if that is not implied; `path:id` maps a path's `{id}` to an input of another name. */
type Placement<M extends Method, Path extends string> =
  | `path:${PathParameter<Path>}`
  | (M extends 'POST' | 'PUT' | 'PATCH' ? 'query' : never);

/** Refuses path names that no input takes. */
type Covered<Path extends string, From, Names> = [
  Exclude<
    PathParameter<Path>,
    | Exclude<Names, keyof From>
    | { [Name in keyof From]: From[Name] extends `path:${infer Parameter}` ? Parameter : never }[keyof From]
  >,
] extends [never]
  ? unknown
  : never;

/**
 * What a call does. `transaction` says how the handler works with the database: `read` on sessions that refuse
 * writes, `snapshot` in one read-only transaction, `write` in one transaction with its audit row, `own` if it
 * waits for something outside and opens its write afterwards, `none` if it changes things outside only, which
 * leaves no audit row.
 */
export type Effect =
  | {
      readonly readOnly: true;
      readonly destructive: false;
      readonly idempotent: true;
      readonly transaction?: 'read' | 'snapshot';
    }
  | {
      readonly readOnly: false;
      readonly destructive: boolean;
      readonly idempotent: boolean;
      readonly transaction?: 'write' | 'own' | 'none';
    };

export type Transaction = NonNullable<Effect['transaction']>;

type Context<Env extends Environment, A extends Access | 'none', E extends Effect, Found> = A extends 'none'
  ? OpenContext
  : E extends { readonly transaction: 'own' }
    ? OwnTransactionContext<Env>
    : E extends { readonly transaction: 'none' }
      ? OutsideContext<Env, Found>
      : ToolContext<Env>;

export type InputSchema =
  | v.StrictObjectSchema<v.ObjectEntries, undefined>
  | v.ObjectWithRestSchema<v.ObjectEntries, v.GenericSchema, undefined>;

/** A violation of a rule that the schema cannot state; the path starts with an input's name. */
export interface InputProblem {
  readonly path: readonly [string, ...(string | number)[]];
  readonly message: string;
}

/** How the output of an operation is published as an MCP resource. */
export interface ResourcePublication {
  /** Its address, with names of inputs in braces (RFC 6570, level 1). */
  readonly uri: `parley://${string}`;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Inputs that are not in the address. */
  readonly input?: JsonObject;
  /** The member of the output that is the resource; the whole output if undefined. */
  readonly member?: string;
  /** The kind of record whose changes clients may hear of: its id is the only input in the address. */
  readonly watched?: 'conversation' | 'flow';
  /** For an input that is no reference: the tool that lists its values, and their member in each item. */
  readonly completions?: Readonly<Record<string, { readonly tool: string; readonly member: string }>>;
}

/** What a tool may use to say what a call is about to do. */
export interface ConsequencesContext<Env extends Environment = Environment> {
  /** Bound to the caller's project; they refuse writes. */
  readonly stores: Env['stores'];
  readonly caller: Caller;
}

/** What a tool may use while it waits for what a call has started. */
export interface SettlingContext<Env extends Environment = Environment> {
  /** Bound to the caller's project. */
  readonly stores: Env['stores'];
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Notifies a client that asked for progress. */
  readonly progress: (event: JsonObject) => Promise<void>;
}

/** How far work is that a call has started and that goes on by itself, such as a crawl. */
export interface BackgroundState {
  readonly hasEnded: boolean;
  /** The output of the call, as it is now. */
  readonly value: JsonObject;
  /** For a person. */
  readonly message: string;
}

/** A secret that a call may leave out: the person behind a client that opens pages then enters it on one, past the model. */
export interface EnteredOnPage {
  /** Its place in the input. */
  readonly at: readonly [input: string, ...members: string[]];
  /** True if the page also asks for `hosts`, `headers` and `inUrl`: where the secret may be sent. */
  readonly binds?: boolean;
  /** True if a call leaves it to the page. */
  readonly isLeftOut: (input: JsonObject) => boolean;
  /** What it is, in words that fit after "Enter the". A value that was entered for it counts for nothing else. */
  readonly called: (input: JsonObject) => string;
}

/** How an operation appears on MCP, as far as that differs from its schemas. */
export interface McpPublication<Env extends Environment = Environment> {
  /** JSON Schemas to publish for inputs; calls are checked against the whole input schema all the same. */
  readonly inputs?: Readonly<Record<string, JsonObject>>;
  /** Inputs that are optional in REST and required on MCP. */
  readonly required?: readonly string[];
  /** Inputs that REST does not take, because the contract's request is exact. */
  readonly addsInputs?: readonly string[];
  /** Inputs that MCP sets and does not show: a call there has more room, and no contract to keep to. */
  readonly implied?: JsonObject;
  readonly enteredOnPage?: EnteredOnPage;
  /** The hint for an input that does not match the schema, by the path of its first problem. */
  readonly hintAt?: (path: readonly string[], input: JsonObject) => string | undefined;
  /** Operations of REST that are no tools of their own, because callers on MCP reach them through this one. */
  readonly covers?: readonly Tool[];
  /** Members of the output that REST leaves out, because the contract's record is exact. */
  readonly adds?: readonly string[];
  /** Members of the record that MCP shows although it leaves them out of others: null, the project, and times. */
  readonly keeps?: readonly string[];
  /** More problems of an input that was refused, which its refusal hides. */
  readonly furtherProblems?: (input: JsonObject) => readonly ErrorProblem[];
  /** A member of the output, or of each item of a list, that is left out unless the call asks for it with `details`. */
  readonly leavesOut?: string;
  /** A list is cut between two items if it is too long. */
  readonly pages?: {
    /** Its member. */
    readonly items: string;
    /** The member of an item that is the cursor, after `prefix`. */
    readonly cursor: string;
    readonly prefix?: string;
    /** The names that MCP uses for members of an item, if the contract has others: `{ n: 'version' }`. */
    readonly names?: Readonly<Record<string, string>>;
  };
  /**
   * What MCP adds to the output as `warnings`, if there are any. REST returns records of the contract, which are exact.
   * @param value the output.
   */
  readonly warn?: (value: JsonObject, input: JsonObject) => readonly object[];
  /** The output as MCP shows it: in words, without members that a next call does not need. REST returns it whole. */
  readonly brief?: (value: JsonObject, input: JsonObject) => JsonObject;
  /**
   * Waits for what a call has started, such as a job, and returns the output as it is then. It runs after the
   * transaction. REST does not wait.
   */
  settle?(
    this: void,
    value: JsonObject,
    input: JsonObject,
    context: SettlingContext<Env>,
  ): Promise<JsonObject>;
  /** True if a call may take seconds: for a client that takes tasks, a call that does becomes one. */
  readonly mayBecomeTask?: true;
  /**
   * Reads how far the work is that a call has started. Clients that take tasks get one, which ends with the work. How MCP
   * shows the output must not depend on the input.
   */
  background?(this: void, started: JsonObject, stores: Env['stores']): Promise<BackgroundState>;
  /** What a person reads of an event of the call, in a notification of progress; empty if the event says nothing. */
  readonly progressMessage?: (event: JsonObject) => string;
  /** Replaces an output that is too long. */
  readonly shorten?: (value: unknown, input: JsonObject) => JsonObject;
  /** False leaves `outputSchema` out: for bulk listings. */
  readonly outputSchema?: false;
  /** Publishes the output as a resource as well. */
  readonly resource?: ResourcePublication;
  /** The page that hosts with MCP Apps show next to the result. */
  readonly app?: 'design';
  /** True if a call reaches beyond Parley's own database: a model, a carrier, a website. */
  readonly openWorld?: true;
}

/** Error codes by HTTP status. */
export type ToolErrors = Readonly<Record<number, readonly ErrorCode[]>>;

/** The inputs that the part `file` of a form (`multipart/form-data`) becomes. */
export interface FileForm<Name extends string = string> {
  /** Its bytes, in base64. */
  readonly content: Name;
  /** Its own file name and media type, unless the form has fields for them. */
  readonly fileName: Name;
  readonly mimeType: Name;
}

/** A member of an output that is a secret, such as a key. */
export interface SecretOutput {
  readonly member: string;
  /** What a caller who missed the response does instead of the same call again. */
  readonly instead: string;
}

/** The access that a call needs because of one of its inputs, unless that is left out, null or false. */
export interface InputAccess {
  /** `listed` for an input that lists accesses: the caller must have each of them. */
  readonly access: Access | 'listed';
  /** What to do without the access. */
  readonly hint: string;
}

/** What only a few operations need. */
export interface Special<
  Name extends string = string,
  Browsers = true,
  Lookup = (stores: never, input: never) => Promise<unknown>,
> {
  /** Runs before the input is checked: loads what `check` needs, or throws the ToolError that comes first. */
  readonly beforeCheck?: (raw: JsonObject) => void | Promise<void>;
  /** With transaction `none`: a point read in one statement with the key's status; the handler gets it as `found`. */
  readonly lookup?: Lookup;
  /** True if web pages of any origin may call it, and publishable keys too (Fetch, CORS); needs a fixed path. */
  readonly browsers?: Browsers;
  /** The input that an `uploadId` may replace: one of the two is required. */
  readonly uploadInto?: Name;
  /** Accepts a form besides JSON in REST. */
  readonly form?: FileForm<Name>;
  /** Read-only members of the record that a PUT accepts and ignores (`decisions#members`). */
  readonly ignoredMembers?: readonly string[];
  /** The project states that allow it, if not those that access and effect imply. */
  readonly projectStatus?: readonly ProjectStatus[];
  /** Inputs that go on to a model as they were sent, with all members that the schema does not name: they hold any JSON. */
  readonly passedOn?: readonly Name[];
  /** The input that stays out of the audit log, even as a hash: a short secret can be guessed from one. */
  readonly secretInput?: Name;
  /** If the output holds a secret: it is not stored for a retry, and only the first response shows it. */
  readonly secretOutput?: SecretOutput;
  /** True if its success is logged as a security event: it grants or ends the right to call. */
  readonly securityEvent?: true;
  /** The code of its 503 if the database is down or too slow. */
  readonly unavailable?: 'usage_unavailable' | 'kb_query_unavailable' | 'agent_config_unavailable';
}

/** One operation, as the registry holds it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rest: {
    readonly method: Method;
    readonly path: string;
    readonly from: Readonly<Record<string, string>>;
    readonly status: 200 | 201;
  };
  readonly input: InputSchema;
  readonly output: v.GenericSchema;
  readonly access: Access | 'none';
  readonly inputAccess: Readonly<Record<string, InputAccess | undefined>>;
  readonly effect: Effect;
  readonly transaction: Transaction;
  readonly check: ((input: never) => readonly InputProblem[]) | undefined;
  readonly consequences: ((context: never, input: never) => Promise<string | undefined>) | undefined;
  readonly results: readonly ResultKind[];
  readonly errors: ToolErrors;
  readonly envelope: ErrorEnvelope;
  readonly bodyLimit: number;
  readonly projectStatus: readonly ProjectStatus[];
  readonly special: Special;
  readonly mcp: McpPublication;
  /** The inputs that are numbers in REST and may be words elsewhere. */
  readonly numbersOrWords: readonly string[];
  /** The input that is a file: REST then takes a form (`multipart/form-data`) instead of JSON. */
  readonly file: string | undefined;
  readonly references: readonly Reference[];
  readonly handler: (context: never, input: never) => Promise<unknown>;
}

/** What defines the operations of a product whose handlers work with `Env`. */
export function toolDefiner<Env extends Environment>() {
  /**
   * Defines an operation. The compiler refuses a path name that no input takes, a GET that writes, and a definition
   * without access or effect.
   */
  return function defineTool<
    M extends Method,
    const Path extends `/${string}`,
    In extends InputSchema,
    Out extends v.GenericSchema,
    const A extends Access | 'none',
    const E extends Effect,
    const From extends { readonly [Name in keyof In['entries'] & string]?: Placement<M, Path> } = object,
    Kind extends ResultKind = never,
    Found = undefined,
  >(definition: {
    /** `verb_noun`, at most 40 characters. */
    readonly name: string;
    readonly title: string;
    /** When to use it and what to call before or after; at most 300 characters. */
    readonly description: string;
    readonly rest: {
      readonly method: M;
      readonly path: Path & Covered<Path, From, keyof In['entries'] & string>;
      /** The inputs that REST takes from elsewhere than a path name of their own, the query (GET, DELETE) or the body. */
      readonly from?: From & { readonly [Name in Exclude<keyof From, keyof In['entries']>]: never };
      /** 201 if it creates something. */
      readonly status?: 201;
    };
    readonly input: In;
    readonly output: Out;
    readonly access: A;
    /** What a call needs besides `access`, by the inputs that it gives. It is required before anything runs or is replayed. */
    readonly inputAccess?: { readonly [Name in keyof In['entries'] & string]?: InputAccess };
    readonly effect: E & (M extends 'GET' ? { readonly readOnly: true } : unknown);
    /** Rules across inputs. */
    readonly check?: (input: v.InferOutput<In>) => readonly InputProblem[];
    /**
     * What a call is about to do, in words for the person behind an MCP client that can ask: nothing happens before that
     * person agrees. Undefined if there is nothing to ask, or if the operation will refuse the call anyway.
     */
    readonly consequences?: (
      context: ConsequencesContext<Env>,
      input: v.InferOutput<In>,
    ) => Promise<string | undefined>;
    /** What the handler may return besides a value. */
    readonly results?: readonly Kind[];
    /** The errors that do not follow from the other members (`src/rest/openapi-errors.ts` lists those that do). */
    readonly errors?: ToolErrors;
    readonly envelope?: ErrorEnvelope;
    /** The largest request, in bytes: a REST body, or the arguments of an MCP call. */
    readonly bodyLimit?: number;
    readonly mcp?: McpPublication<Env>;
    readonly special?: Special<
      keyof In['entries'] & string,
      [PathParameter<Path>] extends [never] ? true : never,
      E extends { readonly transaction: 'none' }
        ? (stores: Env['stores'], input: v.InferOutput<In>) => Promise<Found>
        : never
    >;
    readonly handler: (
      context: Context<Env, A, E, Found>,
      input: v.InferOutput<In>,
    ) => Promise<v.InferInput<Out> | SpecialResult<v.InferInput<Out>, Kind>>;
  }): Tool {
    const { rest, access, effect, special = {} } = definition;
    return {
      ...definition,
      rest: { ...rest, from: placements(rest, inputsOfRest(definition)), status: rest.status ?? 200 },
      transaction: effect.transaction ?? (effect.readOnly ? 'read' : 'write'),
      inputAccess: definition.inputAccess ?? {},
      check: definition.check,
      consequences: definition.consequences,
      results: definition.results ?? [],
      errors: definition.errors ?? {},
      envelope: definition.envelope ?? 'error',
      bodyLimit: definition.bodyLimit ?? defaultBodyLimit,
      projectStatus: special.projectStatus ?? impliedProjectStatus(access, effect),
      special,
      mcp: definition.mcp ?? {},
      numbersOrWords: Object.keys(definition.input.entries).filter((name) =>
        numberOrWordOf(definition.input.entries[name] as object),
      ),
      file: fileInputOf(definition.input.entries),
      references: referencesIn(definition.input),
    };
  };
}

function inputsOfRest({
  input,
  mcp,
}: {
  readonly input: InputSchema;
  readonly mcp?: McpPublication;
}): string[] {
  return Object.keys(input.entries).filter((name) => !mcp?.addsInputs?.includes(name));
}

/** Where REST takes each input from: its path name, else the query of a GET or DELETE, else the body. */
function placements(
  {
    method,
    path,
    from = {},
  }: { method: Method; path: string; from?: Readonly<Record<string, string | undefined>> },
  inputs: readonly string[],
): Record<string, string> {
  const elsewhere = method === 'GET' || method === 'DELETE' ? 'query' : 'body';
  return Object.fromEntries(
    inputs.map((name) => [name, from[name] ?? (path.includes(`{${name}}`) ? 'path' : elsewhere)]),
  );
}

/** A paused project refuses sessions and model calls; an archived one refuses all writes too (`decisions#projects`). */
function impliedProjectStatus(access: Access | 'none', effect: Effect): readonly ProjectStatus[] {
  if (access === 'run') return ['active'];
  return effect.readOnly ? ['active', 'paused', 'archived'] : ['active', 'paused'];
}
