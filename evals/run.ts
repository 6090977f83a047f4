/**
 * Lets a model solve the tasks, over MCP and with nothing but what the server says, and prints what that took.
 *
 * Usage: OPENAI_API_KEY=… [OPENAI_BASE_URL=…] [EVAL_MODEL=…] [EVAL_KIND=…] npm run eval [-- --tasks 10]
 */
import OpenAI from 'openai';
import { jobsSchema } from '../src/jobs/jobs-schema.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { openPool } from '../src/postgres/pool.ts';
import { runAsScript } from '../test/helpers/laboratory.ts';
import { openWorld, type World } from '../test/helpers/world.ts';
import { openPractice, startWorkers } from './practice.ts';
import type { Task } from './task.ts';
import { tasks } from './tasks/index.ts';

/** A model that has not solved a task after so many calls does not solve it. */
const mostCalls = 25;

interface Score {
  readonly solved: boolean;
  readonly calls: number;
  readonly failed: number;
  /** Tokens of all requests and responses, as the model's server counts them. */
  readonly tokens: number;
}

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

async function solve(world: World, model: OpenAI, task: Task): Promise<Score> {
  const practice = await openPractice(world, task);
  const { tools: listed } = await practice.client.listTools();
  const tools = listed.map(({ name, description = '', inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: inputSchema },
  }));
  const messages: Message[] = [
    { role: 'system', content: practice.client.getInstructions() ?? '' },
    { role: 'user', content: task.words },
  ];
  let calls = 0;
  let failed = 0;
  let tokens = 0;
  let answer: string | undefined;
  while (answer === undefined && calls < mostCalls) {
    const { choices, usage } = await model.chat.completions.create({
      model: process.env['EVAL_MODEL'] ?? 'auto',
      messages,
      tools,
    });
    tokens += usage?.total_tokens ?? 0;
    const message = choices[0]?.message;
    if (!message) throw new Error('The model returned no message.');
    messages.push(message);
    const wanted = (message.tool_calls ?? []).filter((one) => one.type === 'function');
    if (wanted.length === 0) answer = message.content ?? '';
    for (const { id, function: asked } of wanted) {
      // A tool that does not exist is an error of the protocol; arguments that are not JSON, of the model.
      const outcome = await Promise.resolve(asked.arguments || '{}')
        .then((text) => practice.call(asked.name, JSON.parse(text) as Record<string, unknown>))
        .catch((error: unknown) => ({ failed: true, text: String(error) }));
      calls += 1;
      if (outcome.failed) failed += 1;
      messages.push({ role: 'tool', tool_call_id: id, content: outcome.text });
    }
  }
  const solved = answer !== undefined && (await practice.judge(answer));
  await practice.close();
  return { solved, calls, failed, tokens };
}

async function prepare(connectionString: string): Promise<void> {
  const say = (line: string) => console.error(line);
  const knex = openPool({ connectionString, mode: 'write', max: 1, warn: say });
  await migrate(knex, connectionString, say, jobsSchema);
  await knex.destroy();
}

async function solveAll(databaseUrl: string, count: number): Promise<boolean> {
  const model = new OpenAI();
  await prepare(databaseUrl);
  const world = await openWorld({ database: { url: databaseUrl, drop: async () => undefined } });
  const workers = await startWorkers(world);
  const scores: Score[] = [];
  const wanted = process.env['EVAL_KIND'];
  const chosen = Object.entries(tasks)
    .filter(([kind]) => wanted === undefined || kind === wanted)
    .flatMap(([kind, members]) => members.map((task) => ({ kind, task })));
  if (chosen.length === 0) throw new Error(`EVAL_KIND can be ${Object.keys(tasks).join(', ')}.`);
  for (const { kind, task } of chosen.slice(0, count)) {
    const score = await solve(world, model, task);
    scores.push(score);
    const verdict = score.solved ? 'solved' : 'failed';
    console.log(
      `${kind} ${task.name}: ${verdict}, ${score.calls} calls, ${score.failed} failed, ${score.tokens} tokens`,
    );
  }
  await workers.stop();
  await world.close();
  const sum = (member: 'calls' | 'failed' | 'tokens') =>
    scores.reduce((total, score) => total + score[member], 0);
  const solved = scores.filter((score) => score.solved).length;
  console.log(
    `${solved} of ${scores.length} solved, ${sum('calls')} calls, ${sum('failed')} failed calls, ${sum('tokens')} tokens`,
  );
  return solved === scores.length;
}

if (process.env['OPENAI_API_KEY'])
  await runAsScript(import.meta.url, 'tasks', Number.MAX_SAFE_INTEGER, solveAll);
else {
  console.error(
    'No model is configured: set OPENAI_API_KEY, and OPENAI_BASE_URL unless it is OpenAI itself.',
  );
  process.exitCode = 1;
}
