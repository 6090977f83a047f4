import * as v from 'valibot';
import { Model, proxyBodyLimit, Tier } from '../../src/resources/models/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { Relay } from '../../src/tool/result.ts';

const ContentPart = v.objectWithRest({}, v.unknown());
const Message = v.objectWithRest(
  {
    role: v.string(),
    content: v.exactOptional(v.nullable(v.union([v.string(), v.array(ContentPart)]))),
  },
  v.unknown(),
);

/** Shown short: clients know the form. */
const messagesOnMcp = {
  type: 'array',
  items: { type: 'object' },
  description: 'The chat so far: {role, content}, content a text or a list of parts.',
};

/** Only what is read here; the rest is between the client and the model. */
export const ChatCompletionInput = v.objectWithRest(
  {
    model: Model,
    messages: v.array(Message),
    stream: v.exactOptional(v.pipe(v.nullable(v.boolean()), v.description('Answer in pieces.'))),
    reasoning: v.exactOptional(
      v.pipe(v.unknown(), v.description('With auto: none, minimal, low, medium, high or xhigh.')),
    ),
    tier: v.exactOptional(Tier),
  },
  v.unknown(),
);

export const createChatCompletion = defineTool({
  name: 'create_chat_completion',
  title: 'Create a chat completion',
  description:
    "Asks a model to continue a chat, in the form of OpenAI's chat completions: what stands beside the inputs shown goes to the model as it is. With stream, the pieces come as progress.",
  rest: {
    method: 'POST',
    path: '/v1/chat/completions',
    from: { model: 'body', messages: 'body', stream: 'body', reasoning: 'body', tier: 'body' },
  },
  input: ChatCompletionInput,
  output: v.objectWithRest({ choices: v.array(v.unknown()) }, v.unknown()),
  access: 'run',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'none' },
  results: ['relay'],
  envelope: 'detail',
  bodyLimit: proxyBodyLimit,
  mcp: { openWorld: true, inputs: { messages: messagesOnMcp } },
  async handler({ services, caller, bytes, signal, requestId, trace }, input) {
    const { contentType, body, interpret, events } = await services.completeChat({
      input,
      text: bytes ?? Buffer.from(JSON.stringify(input)),
      signal,
      requestId,
      trace,
      meter: (uses) => services.meter(caller, uses),
    });
    return new Relay(contentType, body, interpret, events);
  },
});
