import type { Caller } from '../operation/context.ts';
import type { Tool } from '../operation/define.ts';
import type { JsonObject } from '../operation/result.ts';
import type { ErrorProblem } from '../platform/errors.ts';
import type { Stores } from '../store/stores.ts';

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
  /** For an input that is not a reference: the tool that lists its values, and their member in each item. */
  readonly completions?: Readonly<Record<string, { readonly tool: string; readonly member: string }>>;
}

/** What a tool may use to say what a call is about to do. */
export interface ConsequencesContext {
  /** Bound to the caller's project; they refuse writes. */
  readonly stores: Stores;
  readonly caller: Caller;
}

/** What a tool may use while it waits for what a call has started. */
export interface SettlingContext {
  /** Bound to the caller's project. */
  readonly stores: Stores;
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
export interface McpView {
  /** JSON Schemas to publish for inputs; calls are checked against the whole input schema all the same. */
  readonly inputs?: Readonly<Record<string, JsonObject>>;
  /** Inputs that are optional in REST and required on MCP. */
  readonly required?: readonly string[];
  /** Inputs that MCP sets and does not show: a call there has more room, and no contract to keep to. */
  readonly implied?: JsonObject;
  readonly enteredOnPage?: EnteredOnPage;
  /** The hint for an input that does not match the schema, by the path of its first problem. */
  readonly hintAt?: (path: readonly string[], input: JsonObject) => string | undefined;
  /** Operations of REST that are not tools of their own, because callers on MCP reach them through this one. */
  readonly covers?: readonly McpTool[];
  /** Members of the record that MCP shows although it leaves them out of others: null, the project, and times. */
  readonly keeps?: readonly string[];
  /** More problems of an input that was refused, which its refusal hides. */
  readonly furtherProblems?: (
    input: JsonObject,
    context: ConsequencesContext,
  ) => readonly ErrorProblem[] | Promise<readonly ErrorProblem[]>;
  /**
   * Members of the output, or of each item of a list, that are left out unless the call asks for them with `details`. A point
   * leads into a member, and `*` stands for every member: `coverage.*.missed`.
   */
  readonly leavesOut?: readonly string[];
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
  /**
   * The output as MCP shows it: short, without members that a next call does not need. REST returns it whole.
   * @param details true if the call asks for what is left out otherwise
   */
  readonly brief?: (value: JsonObject, input: JsonObject, details: boolean) => JsonObject;
  /** The page of the Studio on which a person looks at what a call has made: its path below /studio. Added as `link`, if the address is known. */
  readonly link?: (value: JsonObject, input: JsonObject) => string | undefined;
  /**
   * Waits for what a call has started, such as a job, and returns the output as it is then. It runs after the
   * transaction. REST does not wait.
   */
  readonly settle?: (value: JsonObject, input: JsonObject, context: SettlingContext) => Promise<JsonObject>;
  /** True if a call may take seconds: for a client that takes tasks, a call that does becomes one. */
  readonly mayBecomeTask?: true;
  /**
   * Reads how far the work is that a call has started. Clients that take tasks get one, which ends with the work. How MCP
   * shows the output must not depend on the input.
   */
  readonly background?: (started: JsonObject, stores: Stores) => Promise<BackgroundState>;
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

/** An operation with its view on MCP. */
export interface McpTool extends Tool {
  readonly mcp: McpView;
  readonly consequences:
    | ((context: ConsequencesContext, input: never) => Promise<string | undefined>)
    | undefined;
}
