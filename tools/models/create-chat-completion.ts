import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import { type JsonObject, Relay } from '../../src/operation/result.ts';
import { Model, modelErrors, proxyBodyLimit, Tier } from '../../src/resources/models/schema.ts';

const Parts = v.array(v.objectWithRest({}, v.unknown()));

const anyContent = v.union([v.string(), Parts]);
/** The union checks each list as a text first, and notes that it is none: one issue for each valid message. */
const Content = {
  ...anyContent,
  '~run'(dataset, config) {
    return (Array.isArray(dataset.value) ? Parts : anyContent)['~run'](dataset, config);
  },
} as typeof anyContent;

const Message = v.objectWithRest(
  {
    role: v.string(),
    content: v.exactOptional(v.nullable(Content)),
  },
  v.unknown(),
);

/** A short schema, because clients know the format. */
const messagesOnMcp = {
  type: 'array',
  items: { type: 'object' },
  description: 'The chat so far: {role, content}; content is a text or a list of parts.',
};

/** The members that Parley reads. It passes all others on to the model. */
export const ChatCompletionInput = v.objectWithRest(
  {
    model: Model,
    messages: v.array(Message),
    stream: v.exactOptional(
      v.pipe(v.nullable(v.boolean()), v.description('Respond in pieces; on MCP, as progress.')),
    ),
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
  description: "Continues a chat with a model, in OpenAI's format. Other members go to the model unchanged.",
  rest: { method: 'POST', path: '/v1/chat/completions' },
  input: ChatCompletionInput,
  output: v.objectWithRest({ choices: v.array(v.unknown()) }, v.unknown()),
  access: 'run',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'none' },
  errors: modelErrors,
  results: ['relay'],
  envelope: 'detail',
  bodyLimit: proxyBodyLimit,
  mcp: { openWorld: true, inputs: { messages: messagesOnMcp }, progressMessage: textOfChunk },
  special: { passedOn: ['messages', 'reasoning'] },
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

/** The text that a chunk of a streamed completion adds. */
function textOfChunk({ choices }: JsonObject): string {
  const [first] = Array.isArray(choices) ? (choices as unknown[]) : [];
  const delta = isJsonObject(first) ? first['delta'] : undefined;
  const content = isJsonObject(delta) ? delta['content'] : undefined;
  return typeof content === 'string' ? content : '';
}
