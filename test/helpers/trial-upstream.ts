import { parseArgs } from 'node:util';
import { chats, speaks, transcribes, words } from './openai-wire.ts';
import {
  answers,
  babbles,
  breaksOff,
  hangs,
  openUpstream,
  type Reaction,
  type Received,
  resets,
  says,
  stalls,
} from './upstream.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8090' } } });

/** Model names that cause a failure instead of a normal response. */
const scripted: Readonly<Record<string, Reaction>> = {
  hangs,
  stalls,
  resets,
  babbles,
  'breaks-off': breaksOff,
  garbage: says('<html>'),
};

/** Returns the number after a word in a model's name: 500 for `status-500`. */
function numberIn(model: string, word: string): number | undefined {
  const found = new RegExp(`${word}-(\\d+)`).exec(model)?.[1];
  return found === undefined ? undefined : Number(found);
}

const reactByModelName: Reaction = (request, response) => {
  const model = String(request.body['model']);
  const status = numberIn(model, 'status');
  const error = { message: `This model returns ${status}.`, type: 'trial' };
  const reaction =
    scripted[model] ?? (status === undefined ? succeed(request, model) : answers(status, { error }));
  console.log(`${request.path} ${model}`);
  return reaction(request, response);
};

function succeed({ path, body }: Received, model: string): Reaction {
  if (path.endsWith('/speech')) return speaks();
  if (path.endsWith('/transcriptions'))
    return transcribes('What was said.', { language: 'en', duration: 1.5 });
  const content = body.messages?.at(-1)?.content;
  const last = typeof content === 'string' ? content.split(/(?<= )/) : ['something'];
  const count = numberIn(model, 'words');
  const pieces = count === undefined ? ['You ', 'said: ', ...last] : words(count);
  return chats({ pieces, pace: numberIn(model, 'pace') ?? 0 });
}

const { baseUrl } = await openUpstream({ port: Number(values.port), otherwise: reactByModelName });
console.log(`This is an OpenAI-compatible server for trials. In another terminal, run:

  OPENAI_BASE_URL=${baseUrl} OPENAI_API_KEY=trial npm start

The model's name selects the response: words-200-pace-50 (200 words, one every 50 ms), status-429, hangs, stalls,
resets, breaks-off, babbles, or garbage. Any other model repeats your last message.`);
