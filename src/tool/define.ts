import type * as v from 'valibot';
import type { ErrorCode, ErrorEnvelope } from '../errors.ts';
import type { ProjectStatus } from '../store/projects.ts';
import type { Stores } from '../store/stores.ts';
import type { Access } from './access.ts';
import type { OpenContext, OutsideContext, OwnTransactionContext, ToolContext } from './context.ts';
import { type Reference, referencesIn } from './reference.ts';
import type { JsonObject, ResultKind, SpecialResult } from './result.ts';
import { fileInputOf } from './upload.ts';

/** 256 KiB, in bytes: the size of a request unless an operation states another (`service-api` part 8). */
const defaultBodyLimit = 262_144;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names between braces in a path. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Where REST takes one input from; `path:id` maps a path's `{id}` to an input of another name. */
type Placement<M extends Method, Path extends string, Name extends string> =
  | (Name extends PathParameter<Path> ? 'path' : never)
  | `path:${PathParameter<Path>}`
  | 'query'
  | (M extends 'POST' | 'PUT' | 'PATCH' ? 'body' : never);

/** The path names that a placement uses up. */
type Covered<From> = {
  [Name in keyof From]: From[Name] extends 'path'
    ? Name
    : From[Name] extends `path:${infer Parameter}`
      ? Parameter
      : never;
}[keyof From];

/** Refuses names that are no inputs, and path names that no input takes. */
type Complete<From, Path extends string, Names extends string> = {
  [Name in Exclude<keyof From, Names>]: never;
} & ([Exclude<PathParameter<Path>, Covered<From>>] extends [never]
  ? unknown
  : { readonly 'a path name that no input takes': Exclude<PathParameter<Path>, Covered<From>> });

/**
 * What calling it does. `transaction` says how a handler works with the database: `read` on sessions that
 * refuse writes, `snapshot` in one read-only transaction, `write` in one transaction with its audit row,
 * `own` where it waits for something outside and opens its write afterwards, `none` where all that it does is
 * outside: it leaves no audit row.
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

type Context<A extends Access | 'none', E extends Effect, Found> = A extends 'none'
  ? OpenContext
  : E extends { readonly transaction: 'own' }
    ? OwnTransactionContext
    : E extends { readonly transaction: 'none' }
      ? OutsideContext<Found>
      : ToolContext;

export type InputSchema =
  | v.StrictObjectSchema<v.ObjectEntries, undefined>
  | v.ObjectWithRestSchema<v.ObjectEntries, v.GenericSchema, undefined>;

/** A rule across inputs that a schema cannot say; the path starts with an input's name. */
export interface InputProblem {
  readonly path: readonly [string, ...(string | number)[]];
  readonly message: string;
}

/** What an operation answers, as an MCP resource. */
export interface ResourcePublication {
  /** Its address, with inputs in braces (RFC 6570, level 1). */
  readonly uri: `parley://${string}`;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Inputs that do not stand in the address. */
  readonly input?: JsonObject;
  /** The member of the answer that is the resource; without it the whole answer is. */
  readonly member?: string;
  /** Which list shows the values of an input that is no reference, and which member of its items they are. */
  readonly completions?: Readonly<Record<string, { readonly tool: string; readonly member: string }>>;
}

/** How an operation shows on MCP where that differs from its schemas. */
export interface McpPublication {
  /** The JSON Schema that stands for an input; the input is checked in full all the same. */
  readonly inputs?: Readonly<Record<string, JsonObject>>;
  /** Inputs that REST leaves open and MCP requires. */
  readonly required?: readonly string[];
  /** A member that answers leave out unless the call asks for it, with `includeDesign` for `design`. */
  readonly leavesOut?: string;
  /** A list, which ends at an item's edge where it would be too long: its member, and what a cursor is made of. */
  readonly pages?: { readonly items: string; readonly cursor: string };
  /** What stands for an answer that would be too long. */
  readonly shorten?: (value: unknown, input: JsonObject) => JsonObject;
  /** False leaves `outputSchema` out: for bulk listings. */
  readonly outputSchema?: false;
  /** Where its answer is a resource as well. */
  readonly resource?: ResourcePublication;
  /** True where a call reaches beyond Parley's own database: a model, a carrier, a website. */
  readonly openWorld?: true;
}

/** Which inputs are made of the part `file` of a form (`multipart/form-data`), which REST then takes as well as JSON. */
export interface FileForm<Name extends string = string> {
  /** Its bytes, in base64. */
  readonly content: Name;
  /** What the part says of itself, where the form has no field for it. */
  readonly fileName: Name;
  readonly mimeType: Name;
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
    readonly ignoredMembers: readonly string[];
    readonly form: FileForm | undefined;
  };
  readonly input: InputSchema;
  readonly output: v.GenericSchema;
  readonly access: Access | 'none';
  readonly effect: Effect;
  readonly precheck: ((given: JsonObject) => void) | undefined;
  readonly check: ((input: never) => readonly InputProblem[]) | undefined;
  readonly prepare: (() => Promise<void>) | undefined;
  readonly results: readonly ResultKind[];
  readonly envelope: ErrorEnvelope;
  readonly bodyLimit: number;
  readonly projectStatus: readonly ProjectStatus[];
  readonly publishableKeys: boolean;
  readonly cors: boolean;
  readonly secretAnswer: boolean;
  readonly secretInput: string | undefined;
  readonly securityEvent: boolean;
  readonly unavailable: ErrorCode | undefined;
  readonly mcp: McpPublication;
  /** The input that is a file: REST then takes a form (`multipart/form-data`) instead of JSON. */
  readonly file: string | undefined;
  readonly references: readonly Reference[];
  readonly lookup: ((stores: Stores, input: never) => Promise<unknown>) | undefined;
  readonly handler: (context: never, input: never) => Promise<unknown>;
}

/**
 * Defines an operation. The compiler refuses an input that is placed nowhere, a path name that no input
 * takes, a GET with a body or one that writes, and a definition without access or effect.
 */
export function defineTool<
  M extends Method,
  const Path extends `/${string}`,
  In extends InputSchema,
  Out extends v.GenericSchema,
  const A extends Access | 'none',
  const E extends Effect,
  const From extends {
    readonly [Name in keyof In['entries'] & string]-?: Placement<M, Path, Name>;
  },
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
    readonly path: Path;
    readonly from: From & Complete<From, Path, keyof In['entries'] & string>;
    /** 201 for what creates. */
    readonly status?: 201;
    /** Read-only members of the record, which a PUT accepts and does not read (`decisions` 1). */
    readonly ignoredMembers?: readonly string[];
    readonly form?: FileForm<keyof In['entries'] & string>;
  };
  readonly input: In;
  readonly output: Out;
  readonly access: A;
  readonly effect: E & (M extends 'GET' ? { readonly readOnly: true } : unknown);
  /** What is refused before every other problem of the input; throws the ToolError. */
  readonly precheck?: (given: JsonObject) => void;
  /** Rules across inputs. */
  readonly check?: (input: v.InferOutput<In>) => readonly InputProblem[];
  /** Loads what the check needs, at the first call: what is too heavy for every start. */
  readonly prepare?: () => Promise<void>;
  /** What the handler may return besides a value. */
  readonly results?: readonly Kind[];
  readonly envelope?: ErrorEnvelope;
  /** The largest request, in bytes: a REST body, or the arguments of an MCP call. */
  readonly bodyLimit?: number;
  /** In which states of the project it is allowed, where that is not what its access and effect imply. */
  readonly projectStatus?: readonly ProjectStatus[];
  /** True where a publishable key may call it too. */
  readonly publishableKeys?: true;
  /** True where pages of any origin may call it from a browser and read its answers (Fetch, CORS); the path takes no names. */
  readonly cors?: [PathParameter<Path>] extends [never] ? true : never;
  /** True where the answer holds a key or a token: it is then stored encrypted for a retry. */
  readonly secretAnswer?: true;
  /** The input that is kept secret: not even a hash of it stands in the audit log, since short ones can be guessed. */
  readonly secretInput?: keyof In['entries'] & string;
  /** True where its success is a security event: it makes or ends a right to call. */
  readonly securityEvent?: true;
  /** What a database that is down or too slow answers here, with 503, where the specification has a code for it. */
  readonly unavailable?: 'usage_unavailable' | 'kb_query_unavailable';
  readonly mcp?: McpPublication;
  /** With `transaction: 'none'`: a point read, sent along with the question for the key's status; the handler has what it finds. */
  readonly lookup?: E extends { readonly transaction: 'none' }
    ? (stores: Stores, input: v.InferOutput<In>) => Promise<Found>
    : never;
  readonly handler: (
    context: Context<A, E, Found>,
    input: v.InferOutput<In>,
  ) => Promise<v.InferInput<Out> | SpecialResult<v.InferInput<Out>, Kind>>;
}): Tool {
  const { rest, access, effect } = definition;
  return {
    ...definition,
    rest: {
      ...rest,
      status: rest.status ?? 200,
      ignoredMembers: rest.ignoredMembers ?? [],
      form: rest.form,
    },
    precheck: definition.precheck,
    check: definition.check,
    prepare: definition.prepare,
    results: definition.results ?? [],
    envelope: definition.envelope ?? 'error',
    bodyLimit: definition.bodyLimit ?? defaultBodyLimit,
    projectStatus: definition.projectStatus ?? impliedProjectStatus(access, effect),
    publishableKeys: definition.publishableKeys ?? false,
    cors: definition.cors ?? false,
    secretAnswer: definition.secretAnswer ?? false,
    secretInput: definition.secretInput,
    securityEvent: definition.securityEvent ?? false,
    unavailable: definition.unavailable,
    mcp: definition.mcp ?? {},
    file: fileInputOf(definition.input.entries),
    lookup: definition.lookup,
    references: referencesIn(definition.input),
  };
}

/** A paused project refuses sessions and model calls, an archived one every write besides (`decisions` 10). */
function impliedProjectStatus(access: Access | 'none', effect: Effect): readonly ProjectStatus[] {
  if (access === 'run') return ['active'];
  return effect.readOnly ? ['active', 'paused', 'archived'] : ['active', 'paused'];
}
