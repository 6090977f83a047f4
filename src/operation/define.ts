import type * as v from 'valibot';
import type { ErrorCode, ErrorEnvelope } from '../platform/errors.ts';
import type { Access } from './access.ts';
import type {
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
export type Placement<M extends Method, Path extends string> =
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
    /** Members of the output that REST leaves out, because the contract's record is exact. */
    readonly omits: readonly string[];
    /** Inputs that REST does not take, because the contract's request is exact. */
    readonly omitsInputs: readonly string[];
  };
  readonly input: InputSchema;
  readonly output: v.GenericSchema;
  readonly access: Access | 'none';
  readonly inputAccess: Readonly<Record<string, InputAccess | undefined>>;
  readonly effect: Effect;
  readonly transaction: Transaction;
  readonly check: ((input: never) => readonly InputProblem[]) | undefined;
  readonly results: readonly ResultKind[];
  readonly errors: ToolErrors;
  readonly envelope: ErrorEnvelope;
  readonly bodyLimit: number;
  readonly projectStatus: readonly ProjectStatus[];
  readonly special: Special;
  /** The inputs that are numbers in REST and may be words elsewhere. */
  readonly numbersOrWords: readonly string[];
  /** The input that is a file: REST then takes a form (`multipart/form-data`) instead of JSON. */
  readonly file: string | undefined;
  readonly references: readonly Reference[];
  readonly handler: (context: never, input: never) => Promise<unknown>;
}

/** What defines an operation whose handler works with `Env`. */
export interface ToolDefinition<
  Env extends Environment,
  M extends Method,
  Path extends `/${string}`,
  In extends InputSchema,
  Out extends v.GenericSchema,
  A extends Access | 'none',
  E extends Effect,
  From extends { readonly [Name in keyof In['entries'] & string]?: Placement<M, Path> },
  Kind extends ResultKind,
  Found,
> {
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
    /** Members of the output that REST leaves out, because the contract's record is exact. */
    readonly omits?: readonly string[];
    /** Inputs that REST does not take, because the contract's request is exact. */
    readonly omitsInputs?: readonly (keyof In['entries'] & string)[];
  };
  readonly input: In;
  readonly output: Out;
  readonly access: A;
  /** What a call needs besides `access`, by the inputs that it gives. It is required before anything runs or is replayed. */
  readonly inputAccess?: { readonly [Name in keyof In['entries'] & string]?: InputAccess };
  readonly effect: E & (M extends 'GET' ? { readonly readOnly: true } : unknown);
  /** Rules across inputs. */
  readonly check?: (input: v.InferOutput<In>) => readonly InputProblem[];
  /** What the handler may return besides a value. */
  readonly results?: readonly Kind[];
  /** The errors that do not follow from the other members (`src/transports/rest/openapi-errors.ts` lists those that do). */
  readonly errors?: ToolErrors;
  readonly envelope?: ErrorEnvelope;
  /** The largest request, in bytes: a REST body, or the arguments of an MCP call. */
  readonly bodyLimit?: number;
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
}

/**
 * Makes an operation of its definition. The compiler refuses a path name that no input takes, a GET that writes, and a
 * definition without access or effect.
 */
export function toolOf<
  Env extends Environment,
  M extends Method,
  const Path extends `/${string}`,
  In extends InputSchema,
  Out extends v.GenericSchema,
  const A extends Access | 'none',
  const E extends Effect,
  const From extends { readonly [Name in keyof In['entries'] & string]?: Placement<M, Path> } = object,
  Kind extends ResultKind = never,
  Found = undefined,
>(definition: ToolDefinition<Env, M, Path, In, Out, A, E, From, Kind, Found>): Tool {
  const { rest, access, effect, special = {} } = definition;
  return {
    ...definition,
    rest: {
      ...rest,
      from: placements(rest, inputsOfRest(definition)),
      status: rest.status ?? 200,
      omits: rest.omits ?? [],
      omitsInputs: rest.omitsInputs ?? [],
    },
    transaction: effect.transaction ?? (effect.readOnly ? 'read' : 'write'),
    inputAccess: definition.inputAccess ?? {},
    check: definition.check,
    results: definition.results ?? [],
    errors: definition.errors ?? {},
    envelope: definition.envelope ?? 'error',
    bodyLimit: definition.bodyLimit ?? defaultBodyLimit,
    projectStatus: special.projectStatus ?? impliedProjectStatus(access, effect),
    special,
    numbersOrWords: Object.keys(definition.input.entries).filter((name) =>
      numberOrWordOf(definition.input.entries[name] as object),
    ),
    file: fileInputOf(definition.input.entries),
    references: referencesIn(definition.input),
  };
}

function inputsOfRest({
  input,
  rest: { omitsInputs = [] },
}: {
  readonly input: InputSchema;
  readonly rest: { readonly omitsInputs?: readonly string[] };
}): string[] {
  return Object.keys(input.entries).filter((name) => !omitsInputs.includes(name));
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
