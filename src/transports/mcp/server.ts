import { randomUUID } from 'node:crypto';
import {
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  UriTemplate,
} from '@modelcontextprotocol/server';
import { mayList, type Selection, selectTools, tighten } from '../../environment/selection.ts';
import type { Caller, KeyStatus } from '../../operation/context.ts';
import type { JsonObject } from '../../operation/result.ts';
import { similarNames } from '../../platform/closest.ts';
import { toToolError } from '../../platform/errors.ts';
import type { LongText } from '../../platform/long-text.ts';
import type { WatchedRecord } from '../../store/resource-states.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { appAt, appContents, type ReadApp } from './app.ts';
import { instructionsFor } from './instructions.ts';
import type { Listing } from './listing.ts';
import type { MessageId, OpenCall } from './open-calls.ts';
import { describePrompt, type Prompt, problemWith, type ValueSource } from './prompt.ts';
import type { ResourceWatch } from './resource-watch.ts';
import { type CallToolResult, type Failure, failureOf } from './result.ts';
import { watchedRecords } from './subscriptions.ts';
import { capabilitiesIn, serveTasks, takesTasks, tasksCapability } from './task-protocol.ts';

/** What a server needs. It runs no call itself: who lists tools need not load what runs them. */
export interface McpOptions {
  readonly listing: Listing;
  readonly prompts: readonly Prompt[];
  readonly version: string;
  readonly calls: () => Calls | Promise<Calls>;
  readonly readApp: ReadApp;
}

/** What runs operations for a server. None of it throws. */
export interface Calls {
  readonly callTool: CallTool;
  readonly tasks: OpenTasks;
  readonly readResource: ReadResource;
  readonly completeInput: CompleteInput;
  readonly completeArgument: CompleteArgument;
}

export type CallTool = (
  call: ToolCall,
  session: McpSession,
) => Promise<CallToolResult | Question | StartedTask>;

/** What the response of a call says that goes on as a task. */
export interface StartedTask {
  readonly kind: 'task';
  readonly task: JsonObject;
}

/** The calls that go on as tasks, and those that did. */
export interface OpenTasks {
  get(id: string, signal: AbortSignal, session: McpSession): Promise<{ readonly task: JsonObject } | Failure>;
  /** Ends a task that has not ended. */
  cancel(id: string, signal: AbortSignal, session: McpSession): Promise<object | Failure>;
  /** Ends the calls that run in this process. */
  end(): Promise<void>;
}

/**
 * A question to the person behind the client, before a call goes on. The client repeats the call with the reply and the
 * state.
 */
export type Question = { readonly state: string } & (
  | {
      /** A form without fields: the person agrees, or does not. */
      readonly kind: 'form';
      readonly message: string;
    }
  | {
      /** A page that the client opens in a browser. */
      readonly kind: 'page';
      readonly message: string;
      readonly url: string;
    }
  | {
      /** The person has been asked and is not ready: the client only repeats the call. */
      readonly kind: 'wait';
    }
);

/** What the person said to a question. */
export interface Reply {
  /** Undefined if the client returned a state without what was asked for. */
  readonly action: 'accept' | 'decline' | 'cancel' | undefined;
  readonly state: string;
}

/** Reads a resource, as JSON text. */
export type ReadResource = (
  read: {
    readonly name: string;
    /** The texts in the address for the tool's inputs. */
    readonly variables: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
  session: McpSession,
) => Promise<{ readonly text: string } | Failure>;

/** What a client wants completed. */
export interface Completion {
  /** What the person has typed. */
  readonly text: string;
  /** What the client has filled already, by name. */
  readonly known: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The values that MCP shows of a completion. */
export interface CompletedValues {
  /** At most 100. */
  readonly values: string[];
  /** How many there are. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** Why a subscription is refused. */
export const tooManySubscriptions = 'Subscription limit reached';

export const noValues: CompletedValues = { values: [], total: 0, hasMore: false };

/** Offers values for an input in a resource's address. */
export type CompleteInput = (
  completion: Completion & { readonly name: string; readonly input: string },
  session: McpSession,
) => Promise<CompletedValues>;

/** Offers values for an argument of a prompt. */
export type CompleteArgument = (
  completion: Completion & { readonly source: ValueSource },
  session: McpSession,
) => Promise<CompletedValues>;

/** A call of a tool that is listed. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** As it came. */
  readonly idempotencyKey: unknown;
  readonly signal: AbortSignal;
  /** Notifies the client, if it asked for progress. */
  readonly progress: (message: string | undefined, index: number) => Promise<void>;
  /** What the client can show to a person. */
  readonly shows: { readonly forms: boolean; readonly pages: boolean };
  readonly reply: Reply | undefined;
  /** True if the response may be a task. */
  readonly takesTask: boolean;
}

/** The client of one server: of one HTTP request, or of one stdio connection. */
export interface McpSession {
  readonly selection: Selection;
  /** The caller whose tools are listed; found without a database if possible. */
  listedFor(): Promise<Caller>;
  /** The caller of the calls. */
  caller(): Caller | Promise<Caller>;
  /** The status of the caller's key, if the transport reads it with each request. */
  readonly keyStatus?: KeyStatus;
  runtime(): ServerRuntime | Promise<ServerRuntime>;
  /** The long texts of the message, by the tokens that stand for them in it. */
  readonly longTexts?: ReadonlyMap<string, LongText> | undefined;
  /** The id of the transport's request, if it has one. */
  readonly requestId?: string;
  /** Registers a call by the id of its message, so that a later request can cancel it. */
  openCall?(id: MessageId): OpenCall;
  /** Tells of changes of resources; undefined if the connection cannot carry them. */
  readonly watch?: ResourceWatch | undefined;
  /** True on the protocol 2026-07-28, whose clients may take tasks. */
  readonly hasTasks?: boolean;
  /** Receives the name of the called tool, for the log. */
  noteTool?(name: string): void;
}

/** The key under `_meta` that carries an idempotency key. */
const idempotencyMeta = 'parley/idempotencyKey';

/** Five minutes: lists change only when Parley is updated, and what a key may do never changes. */
const staticList = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** How long a client of 2026-07-28 may keep what it has read. Other results hold records, and are not to be kept. */
const cacheHints = {
  'server/discover': staticList,
  'tools/list': staticList,
  'prompts/list': staticList,
  'resources/list': staticList,
  'resources/templates/list': staticList,
};

/** The SDK's own validator, for forms that servers send to clients, takes long to load; Parley sends none. */
const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new Error('there is no validator of forms');
  },
};

/**
 * Returns a function that makes the server of a session. It uses the low-level Server of the SDK: errors then have the
 * same codes and messages as in REST, and a call costs half.
 */
export function mcpServers({
  listing,
  prompts,
  version,
  calls,
  readApp,
}: McpOptions): (session: McpSession) => Promise<Server> {
  return async (session) => {
    const selected = selectTools(listing, session.selection);
    const visible = async () => {
      const caller = tighten(await session.listedFor().catch(refuseSession), session.selection);
      return selected.filter((tool) => mayList(caller, tool));
    };
    // A key or a database that fails is reported by the calls, with its error.
    const instructions = instructionsFor(listing, await visible().catch(() => selected));
    const server = new Server(
      { name: 'parley', title: 'Parley', version },
      {
        capabilities: {
          tools: {},
          resources: session.watch ? { subscribe: true } : {},
          prompts: {},
          completions: {},
          ...(session.hasTasks && tasksCapability),
        },
        cacheHints,
        instructions,
        jsonSchemaValidator: noValidator,
        inputRequired: { maxRounds: mostRounds },
      },
    );
    const resources = async () => (await visible()).flatMap(({ resource }) => resource ?? []);
    const visiblePrompts = async () => {
      const seen = new Set((await visible()).map(({ name }) => name));
      const sees = (tool: string) => seen.has(tool);
      return { sees, shown: prompts.filter(({ needs }) => needs.every(sees)) };
    };
    const isTemplate = ({ uri }: { uri: string }) => uri.includes('{');
    server.setRequestHandler('tools/list', async () => ({
      tools: (await visible()).map(({ shown }) => shown),
    }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const { name, arguments: given = {} } = params;
      if (!selected.some((tool) => tool.name === name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name, listing, await visible()));
      session.noteTool?.(name);
      const token = mcpReq._meta?.progressToken;
      const { callTool } = await calls();
      const open = session.openCall?.(mcpReq.id);
      const call: ToolCall = {
        name,
        arguments: given,
        idempotencyKey: mcpReq._meta?.[idempotencyMeta],
        signal: open ? AbortSignal.any([mcpReq.signal, open.signal]) : mcpReq.signal,
        async progress(message, index) {
          if (token === undefined) return;
          const params = { progressToken: token, progress: index, ...(message && { message }) };
          await mcpReq.notify({ method: 'notifications/progress', params });
        },
        shows: shownBy(capabilitiesIn(mcpReq.envelope) ?? server.getClientCapabilities()),
        reply: replyIn(mcpReq.requestState(), mcpReq.inputResponses),
        takesTask: session.hasTasks === true && takesTasks(mcpReq.envelope),
      };
      const result = await callTool(call, session).finally(() => open?.end());
      if (!('kind' in result)) return result;
      const outcome = result as Question | StartedTask;
      return outcome.kind === 'task' ? asTask(outcome) : asInputRequired(outcome);
    });
    server.setRequestHandler('resources/list', async () => ({
      resources: (await resources()).filter((resource) => !isTemplate(resource)),
    }));
    server.setRequestHandler('resources/templates/list', async () => ({
      resourceTemplates: (await resources())
        .filter(isTemplate)
        .map(({ uri, ...resource }) => ({ uriTemplate: uri, ...resource })),
    }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
      const tools = await visible();
      const app = appAt(uri, tools);
      if (app) {
        const page = await readApp(app).catch((thrown: unknown) => {
          throw refusedRead(failureOf(toToolError(thrown), randomUUID()));
        });
        return { contents: [appContents(app, page)] };
      }
      for (const { name, resource } of tools) {
        const variables = resource && variablesIn(uri, resource.uri);
        if (!variables) continue;
        session.noteTool?.(name);
        const { readResource } = await calls();
        const read = await readResource({ name, variables, signal }, session);
        if ('error' in read) throw refusedRead(read);
        return { contents: [{ uri, mimeType: resource.mimeType, text: read.text }] };
      }
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}.`, { uri });
    });
    if (session.hasTasks)
      serveTasks(server, {
        async get(id, signal) {
          const read = await (await calls()).tasks.get(id, signal, session);
          if ('error' in read) throw refusedRead(read);
          return read.task;
        },
        async cancel(id, signal) {
          const cancelled = await (await calls()).tasks.cancel(id, signal, session);
          if ('error' in cancelled) throw refusedRead(cancelled);
        },
      });
    if (session.watch)
      serveSubscriptions(server, session.watch, async (address) => {
        const records = watchedRecords(await visible(), await session.listedFor(), [address]);
        return records.get(address);
      });
    server.setRequestHandler('prompts/list', async () => ({
      prompts: (await visiblePrompts()).shown.map(describePrompt),
    }));
    server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => {
      const { shown, sees } = await visiblePrompts();
      const prompt = shown.find((one) => one.name === name);
      const problem = prompt ? problemWith(prompt, given) : unknownPrompt(name, shown);
      if (!prompt || problem !== undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem ?? '');
      return { description: prompt.description, messages: [...prompt.messages(given, sees)] };
    });
    server.setRequestHandler('completion/complete', async ({ params }, { mcpReq: { signal } }) => {
      const { ref, argument, context } = params;
      const completion = { text: argument.value, known: context?.arguments ?? {}, signal };
      const { completeArgument, completeInput } = await calls();
      if (ref.type === 'ref/prompt') {
        const prompt = (await visiblePrompts()).shown.find(({ name }) => name === ref.name);
        if (!prompt) throw noSuchReference();
        const source = prompt.arguments.find(({ name }) => name === argument.name)?.completes;
        return {
          completion: source
            ? { ...(await completeArgument({ ...completion, source }, session)) }
            : { ...noValues },
        };
      }
      const tool = (await visible()).find(({ resource }) => resource && resource.uri === ref.uri);
      if (!tool) throw noSuchReference();
      const input = { ...completion, name: tool.name, input: argument.name };
      return { completion: { ...(await completeInput(input, session)) } };
    });
    return server;
  };
}

/** Throws the protocol error for a key that is not accepted or a database that does not respond. */
function refuseSession(thrown: unknown): never {
  const { error, hint } = failureOf(toToolError(thrown), randomUUID());
  const code =
    error.code === 'unauthorized' ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError;
  throw new ProtocolError(code, error.message, { error, hint });
}

function noSuchReference(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such reference.');
}

function unknownPrompt(name: string, shown: readonly Prompt[]): string {
  const names = shown.map((prompt) => prompt.name).join(', ');
  return `Unknown prompt: ${name.slice(0, 100)}. ${names ? `There are ${names}.` : 'This connection has none.'}`;
}

/** Serves `resources/subscribe` of the 2025 protocols on a connection that lasts. */
function serveSubscriptions(
  server: Server,
  watch: ResourceWatch,
  recordOf: (address: string) => Promise<WatchedRecord | undefined>,
): void {
  const ends = new Map<string, () => void>();
  const end = (address: string) => {
    ends.get(address)?.();
    ends.delete(address);
  };
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    const record = await recordOf(uri);
    if (!record)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No changes of ${uri} can be heard of.`);
    const onUpdate = () => void server.sendResourceUpdated({ uri }).catch(() => end(uri));
    const stop = await watch.open(new Map([[uri, record]]), { onUpdate, onEnd: () => end(uri) });
    if (!stop) throw new ProtocolError(ProtocolErrorCode.InternalError, tooManySubscriptions);
    end(uri);
    ends.set(uri, stop);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    end(uri);
    return {};
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
  server.onclose = () => {
    for (const address of ends.keys()) end(address);
  };
}

/** The name of a question among those of one call: there is at most one. */
const questionName = 'question';

/** Times that a call is repeated until the person is ready: more than the ten minutes of a question take. */
const mostRounds = 20;

/** What a client can show. One that names no mode shows forms (MCP 2025-11-25, elicitation). */
function shownBy(capabilities: ClientCapabilities | undefined): ToolCall['shows'] {
  const { elicitation } = capabilities ?? {};
  const pages = elicitation !== undefined && 'url' in elicitation;
  return { forms: elicitation !== undefined && ('form' in elicitation || !pages), pages };
}

/** The SDK demands `content` of every result of a call. */
function asTask({ task }: StartedTask) {
  return { resultType: 'task', ...task, content: [] };
}

function asInputRequired(question: Question) {
  const { kind, state: requestState } = question;
  if (kind === 'wait') return inputRequired({ requestState });
  const { message } = question;
  const asked =
    kind === 'page'
      ? inputRequired.elicitUrl({ message, url: question.url })
      : inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } });
  return inputRequired({ inputRequests: { [questionName]: asked }, requestState });
}

function replyIn(state: unknown, responses: Parameters<typeof inputResponse>[0]): Reply | undefined {
  if (typeof state !== 'string') return undefined;
  const view = inputResponse(responses, questionName);
  return { action: view.kind === 'elicit' ? view.action : undefined, state };
}

/** Names that an error about an unknown tool suggests. */
const mostSuggested = 3;

function unknownTool(name: string, listing: Listing, visible: readonly { readonly name: string }[]): string {
  const [set] = Object.entries(listing).find(([, tools]) => tools.some((tool) => tool.name === name)) ?? [];
  if (set !== undefined)
    return `The tool ${name} exists, but the selection of this connection leaves it out. The toolset ${set} has it: connect with toolsets=${set} or tools=${name}.`;
  const known = visible.map((tool) => tool.name);
  const similar = similarNames({ word: name, known }, mostSuggested);
  const suggestion = similar.length > 0 ? ` Did you mean ${similar.join(', ')}?` : ' tools/list shows all.';
  return `Unknown tool: ${name.slice(0, 100)}.${suggestion}`;
}

/** The texts for the names in braces of a template; undefined if the address does not match it. */
function variablesIn(uri: string, template: string): Record<string, string> | undefined {
  if (!template.includes('{')) return uri === template ? {} : undefined;
  const found = new UriTemplate(template).match(uri);
  return found
    ? Object.fromEntries(Object.entries(found).map(([name, text]) => [name, String(text)]))
    : undefined;
}

/** A failed read as a protocol error: resources have no other kind of error. */
function refusedRead({ error, hint }: Failure): ProtocolError {
  const own =
    error.code === 'internal_error' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(own, error.message, { error, hint });
}
