import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import pino from 'pino';
import type { ServerFactory } from '../../../../src/transports/mcp/http.ts';
import { listingOf } from '../../../../src/transports/mcp/listing.ts';
import { callsOf } from '../../../../src/transports/mcp/resources.ts';
import { mcpServers } from '../../../../src/transports/mcp/server.ts';
import { listedPrompts, promptNamed } from './fixture-prompts.ts';
import { fixtureTools, png } from './fixture-tools.ts';

type Request = Readonly<{ params?: Readonly<Record<string, unknown>> | undefined }>;
type Result = Record<string, unknown>;
type Handler = (request: Request, context: ServerContext) => Promise<Result>;

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const state = createRequestStateCodec<string>({ key: randomBytes(32) });
const form = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  });
const question = (words: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  });

/** The requests of a tool to its client, and the state that comes back with their responses. */
async function ask(inputRequests: InputRequests, step?: string): Promise<Result> {
  return inputRequired({
    inputRequests,
    ...(step !== undefined && { requestState: await state.mint(step) }),
  });
}

/** The step that the state of a request names; undefined without one. @throws ProtocolError for a state that was changed */
async function stepOf(context: ServerContext): Promise<string | undefined> {
  const raw = context.mcpReq.requestState();
  if (typeof raw !== 'string') return undefined;
  try {
    return await state.verify(raw, context);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
  }
}

/** True if a response to the request of this name came with the call. */
const answered = ({ mcpReq }: ServerContext, name: string) =>
  inputResponse(mcpReq.inputResponses, name).kind !== 'missing';

async function confirmed(context: ServerContext): Promise<Result> {
  if ((await stepOf(context)) === 'asked' && answered(context, 'confirm')) return text('state-ok');
  return ask({ confirm: form('Please confirm', 'ok') }, 'asked');
}

/** The tools that ask their client, or whose results no operation of the product has. */
const tools: Readonly<Record<string, (context: ServerContext, given: Result) => Promise<Result>>> = {
  greet: async (_, { name }) => text(`Hello, ${String(name)}!`),
  test_multiple_content_types: async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  async test_tool_with_logging({ mcpReq }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    return text('logged');
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'Only for a client that asks for log messages.');
    return text('logged');
  },
  test_streaming_elicitation: () => ask({ user_name: form('What is your name?', 'name') }),
  test_missing_capability: () => ask({ capital_question: question('Anything', 10) }),
  async test_input_required_result_elicitation({ mcpReq }) {
    const name = acceptedContent(mcpReq.inputResponses, 'user_name')?.['name'];
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return ask({ user_name: form('What is your name?', 'name') });
  },
  async test_input_required_result_sampling({ mcpReq }) {
    const response = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (response.kind === 'sampling') return text(JSON.stringify(response.result.content));
    return ask({ capital_question: question('What is the capital of France?', 100) });
  },
  async test_input_required_result_list_roots({ mcpReq }) {
    const response = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (response.kind === 'roots') return text(JSON.stringify(response.roots));
    return ask({ client_roots: inputRequired.listRoots() });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  async test_input_required_result_multiple_inputs(context) {
    const names = ['user_name', 'greeting', 'client_roots'];
    if ((await stepOf(context)) === 'asked' && names.every((name) => answered(context, name)))
      return text('All three arrived.');
    return ask(
      {
        user_name: form('What is your name?', 'name'),
        greeting: question('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      'asked',
    );
  },
  async test_input_required_result_multi_round(context) {
    const step = await stepOf(context);
    if (step === 'color' && answered(context, 'step2')) return text('Both arrived.');
    if (step === 'name' && answered(context, 'step1'))
      return ask({ step2: form('Step 2: What is your favorite color?', 'color') }, 'color');
    return ask({ step1: form('Step 1: What is your name?', 'name') }, 'name');
  },
  async test_input_required_result_capabilities({ mcpReq }) {
    const { [CLIENT_CAPABILITIES_META_KEY]: capabilities = {} } = (mcpReq.envelope ?? {}) as Record<
      string,
      object
    >;
    return ask({
      ...('elicitation' in capabilities && { name: form('What is your name?', 'name') }),
      ...('sampling' in capabilities && { greeting: question('Generate a greeting', 50) }),
    });
  },
};

/** The prompt that asks its client for input. */
const asking = 'test_input_required_result_prompt';

async function promptOf({ mcpReq }: ServerContext): Promise<Result> {
  const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.['context'];
  if (typeof context !== 'string')
    return ask({ user_context: form('What context should the prompt use?', 'context') });
  return { messages: [{ role: 'user', content: { type: 'text', text: `Use ${context}.` } }] };
}

/** The resources that the suite reads. Those of the product are all JSON. */
function resourceAt(uri: string): Result | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: png.toString('base64') };
  if (id === undefined) return undefined;
  return { uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) };
}

/** The fixtures before the product's own handlers. Undefined: the product handles the request. */
const fixtures: Readonly<
  Record<string, (params: Result, context: ServerContext) => Promise<Result> | undefined>
> = {
  'tools/call': ({ name, arguments: given }, context) =>
    tools[String(name)]?.(context, (given ?? {}) as Result),
  'prompts/list': async () => listedPrompts([asking]),
  async 'prompts/get'({ name, arguments: given }, context) {
    const prompt = name === asking ? await promptOf(context) : promptNamed(String(name), given);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt.');
    return prompt;
  },
  'completion/complete': async () => ({ completion: { values: ['paris', 'park'], total: 2 } }),
  'resources/read'({ uri }) {
    const content = resourceAt(String(uri));
    return content && Promise.resolve({ contents: [content], ttlMs: 0, cacheScope: 'private' });
  },
  'logging/setLevel': async () => ({}),
  'resources/subscribe': async () => ({}),
  'resources/unsubscribe': async () => ({}),
};

/** The product's server for the fixture tools, with the fixtures that the product cannot define in front of it. */
export const fixtureServer: ServerFactory = async (session) => {
  const server = await product(session);
  server.registerCapabilities({ logging: {}, prompts: {}, resources: { subscribe: true } });
  const known = handlersOf(server);
  for (const [method, fixture] of Object.entries(fixtures)) {
    const ofProduct = known.get(method);
    const handle: Handler = async (request, context) => {
      const result = fixture(request.params ?? {}, context);
      if (result) return result;
      if (!ofProduct) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
      return ofProduct(request, context);
    };
    server.setRequestHandler(method as 'tools/call', handle as never);
  }
  const listed = known.get('tools/list');
  const list: Handler = async (request, context) => {
    if (!listed) throw new Error('the product lists no tools');
    const { tools: ofProduct, ...rest } = (await listed(request, context)) as { tools: Result[] };
    const own = Object.keys(tools).map((name) => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: { type: 'object' },
    }));
    return { ...rest, tools: [...ofProduct, ...own] };
  };
  server.setRequestHandler('tools/list', list as never);
  return server;
};

const calls = callsOf(fixtureTools, pino({ level: 'silent' }));
const options = {
  listing: listingOf(fixtureTools),
  prompts: [],
  version: '0.0.0-test',
  calls: () => calls,
  readApp: () => Promise.reject(new Error('no fixture has an app')),
};
const product = mcpServers(options);

/** The SDK has no way to put a handler before another, so this reads the map in which it keeps them. */
function handlersOf(server: Server): ReadonlyMap<string, Handler> {
  const { _requestHandlers: handlers } = server as unknown as { _requestHandlers: Map<string, Handler> };
  return new Map(handlers);
}
