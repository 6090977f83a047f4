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

/** What the name of a model makes it do, beside answering. */
const scripted: Readonly<Record<string, Reaction>> = {
  hangs,
  stalls,
  resets,
  babbles,
  'breaks-off': breaksOff,
  garbage: says('<html>'),
};

/** The number behind a word in a model's name: 500 of `status-500`. */
function numberIn(model: string, word: string): number | undefined {
  const found = new RegExp(`${word}-(\\d+)`).exec(model)?.[1];
  return found === undefined ? undefined : Number(found);
}

const answersAsAsked: Reaction = (request, response) => {
  const model = String(request.body['model']);
  const status = numberIn(model, 'status');
  const error = { message: `You asked for ${status}.`, type: 'trial' };
  const reaction =
    scripted[model] ?? (status === undefined ? usual(request, model) : answers(status, { error }));
  console.log(`${request.path} ${model}`);
  return reaction(request, response);
};

function usual({ path, body }: Received, model: string): Reaction {
  if (path.endsWith('/speech')) return speaks();
  if (path.endsWith('/transcriptions'))
    return transcribes('What was said.', { language: 'en', duration: 1.5 });
  const last = body.messages?.at(-1)?.content;
  const said = typeof last === 'string' ? last.split(/(?<= )/) : ['something'];
  const count = numberIn(model, 'words');
  const pieces = count === undefined ? ['You ', 'said: ', ...said] : words(count);
  return chats({ pieces, pace: numberIn(model, 'pace') ?? 0 });
}

const { baseUrl } = await openUpstream({ port: Number(values.port), otherwise: answersAsAsked });
console.log(`An OpenAI-compatible server for trials. In another terminal:

  OPENAI_BASE_URL=${baseUrl} OPENAI_API_KEY=trial npm start

A model's name says what it does: words-200-pace-50 (200 words, one each 50 ms), status-429, hangs, stalls, resets,
breaks-off, babbles, garbage; any other one repeats what was said.`);
