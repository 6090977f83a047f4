import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { newId } from '../../src/id.ts';
import { modelDisclosure } from '../../src/models/disclosure.ts';
import { type Door, type ErrorBody, openDoor, wordsOf } from '../contract/doors.ts';
import { toolNamed } from '../contract/registry.ts';
import type { Input } from '../contract/rest-request.ts';
import { disclosedDesign, disclosing } from '../designs/disclosed.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { created, type DesignProject, openDesignProject } from '../tools/design-project.ts';
import { codeDamages, damagedFor } from './code-damages.ts';

const file = new URL('../../docs/measurements/designs.md', import.meta.url);

/** Conversations that the plan `starter` allows (`decisions` 10). */
const allowed = 10;

/** The only line that is put to the model which cannot be reached. */
const unconfirmed = `${disclosing} Who is calling?`;

/** One call that is refused, through every door alike. */
interface Case {
  readonly code: string;
  readonly status: number;
  /** What calls for the code, in the words of the table. */
  readonly when: string;
  readonly tool: string;
  readonly input: () => Input;
}

/** What the doors answered to a case. */
interface Row extends Case {
  readonly restStatus: number | undefined;
  readonly mcpCode: string;
  readonly pointer: string;
}

let world: World;
let project: DesignProject;
let rest: Door;
let mcp: Door;
let clinic: Design;
let advanced: string;
let simple: string;
let imported: string;

beforeAll(async () => {
  const silent = modelDisclosure({ apiKey: 'none', baseUrl: 'http://127.0.0.1:1', model: 'none' });
  world = await openWorld({
    confirmDisclosure: async (lines, signal) =>
      lines.includes(unconfirmed)
        ? silent(lines, signal)
        : new Map(lines.map((line) => [line, { discloses: true, reason: 'said so' }])),
  });
  project = await openDesignProject(world, { plan: 'starter' });
  [rest, mcp] = [
    await openDoor(world, 'REST', project.key),
    await openDoor(world, 'modern http', project.key),
  ];
  clinic = await disclosedDesign(world, project, 'clinic');
  advanced = await project.newConversation({ design: clinic });
  simple = await project.newConversation({ kind: 'simple' });
  imported = await project.newConversation();
  await project.store(imported, 1, { ...starterDesign, steps: { greeting: { kind: 'game' } } });
  created(await project.write(advanced, clinic));
  for (let count = 3; count < allowed; count++) await project.newConversation();
});
afterAll(() => world.close());

const writing = (design: unknown, conversationId = advanced, baseVersion = 2) => ({
  conversationId,
  design,
  baseVersion,
});

const damages: Readonly<Record<string, string>> = {
  invalid_request: 'a member that the format does not have',
  not_found: 'a knowledge base that the project does not have',
  invalid_transition: 'an exit to a step that is not there',
  invalid_route_option: 'a route option with a description alone',
  invalid_layout_ref: 'a layout entry for a step that is not there',
  unknown_integration_ref: 'an integration that the project does not have',
  integration_kind_mismatch: 'an integration that is of another kind',
  ai_disclosure_required: 'a changed consent line without a word about AI',
  plan_limit_exceeded: 'more steps than the plan allows',
  design_invalid: 'a variable that is declared twice',
};

const cases: readonly Case[] = [
  {
    code: 'payload_too_large',
    status: 413,
    when: 'a design of more than 256 KiB',
    tool: 'write_design',
    input: () => writing({ ...clinic, surplus: 'x'.repeat(262_144) }),
  },
  {
    code: 'invalid_request',
    status: 400,
    when: 'a version number that is none',
    tool: 'read_design',
    input: () => ({ conversationId: advanced, n: 0 }),
  },
  {
    code: 'not_found',
    status: 404,
    when: 'a conversation that is not there',
    tool: 'write_design',
    input: () => writing(clinic, newId('conversation')),
  },
  {
    code: 'not_found',
    status: 404,
    when: 'a version that is not there',
    tool: 'activate_conversation_version',
    input: () => ({ conversationId: advanced, n: 3 }),
  },
  {
    code: 'not_yet_supported',
    status: 501,
    when: 'the design of a simple conversation read',
    tool: 'read_design',
    input: () => ({ conversationId: simple, n: 1 }),
  },
  {
    code: 'not_yet_supported',
    status: 501,
    when: 'the design of a simple conversation written',
    tool: 'write_design',
    input: () => writing(clinic, simple, 1),
  },
  {
    code: 'unsupported_step',
    status: 501,
    when: 'a stored step of a kind that is not exposed, read',
    tool: 'read_design',
    input: () => ({ conversationId: imported, n: 1 }),
  },
  {
    code: 'unsupported_step',
    status: 501,
    when: 'the same, activated',
    tool: 'activate_conversation_version',
    input: () => ({ conversationId: imported, n: 1 }),
  },
  {
    code: 'validation_unavailable',
    status: 503,
    when: 'a changed line while the model that confirms it is not there',
    tool: 'write_design',
    input: () => writing(withIntroLine(unconfirmed)),
  },
  ...codeDamages.map(
    ({ code, status }): Case => ({
      code,
      status,
      when: damages[code] ?? '',
      tool: 'write_design',
      input: () => writing(damagedFor(clinic, [code])),
    }),
  ),
  {
    code: 'plan_limit_exceeded',
    status: 403,
    when: 'more conversations than the plan allows',
    tool: 'create_conversation',
    input: () => ({ projectId: project.projectId, name: 'One more', design: starterDesign }),
  },
  {
    code: 'version_conflict',
    status: 409,
    when: 'a baseVersion that is not the newest',
    tool: 'write_design',
    input: () => writing(clinic, advanced, 1),
  },
];

function withIntroLine(introLine: string): unknown {
  const { welcome, ...steps } = clinic.steps;
  return { ...clinic, steps: { welcome: { ...welcome, introLine }, ...steps } };
}

const rows: Row[] = [];

test.each(cases)('$code: $when', async ({ tool: name, input, ...expected }) => {
  const tool = toolNamed(name);
  const sent = input();
  const [overRest, overMcp] = [await rest.call(tool, sent), await mcp.call(tool, sent)];
  if (!overRest.error || !overMcp.error) throw new Error('it was not refused');
  const { code, status } = expected;
  expect({ code: overRest.error.code, status: overRest.status }).toEqual({ code, status });
  // Only what stands in a path has another name there.
  const renamed = JSON.stringify(wordsOf(overMcp.error)).replaceAll('"/conversationId"', '"/id"');
  expect(JSON.parse(renamed)).toEqual(wordsOf(overRest.error));
  rows.push({
    ...expected,
    tool: name,
    input,
    restStatus: overRest.status,
    mcpCode: overMcp.error.code,
    pointer: pointerOf(overRest.error),
  });
});

test('nothing was written', async () => {
  expect(await project.versions(advanced)).toHaveLength(2);
  expect(
    await world.rows('select 1 from conversations where project_id = $1', [project.projectId]),
  ).toHaveLength(allowed);
});

test('what each code answers stands in docs/measurements/designs.md, so that a change of it shows in the diff', () => {
  expect(rows).toHaveLength(cases.length);
  const report = reportOf(rows);
  if (process.env['UPDATE_CODES'] === '1') writeFileSync(file, report);
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  expect(committed, 'to accept the difference: UPDATE_CODES=1 npx vitest run design/codes').toBe(report);
});

/** The places that an error names, by the part of the request where it says so. */
function pointerOf({ code, details }: ErrorBody): string {
  const { issues = [] } = (details ?? {}) as { issues?: { in?: string; path?: string; message: string }[] };
  // In design_invalid the path stands at the head of the message (`decisions` 4).
  const places = issues.map(({ in: part, path, message }) =>
    [part, code === 'design_invalid' ? message.split(':')[0] : path].filter(Boolean).join(' '),
  );
  return places.map((place) => `\`${place}\``).join(', ') || '–';
}

function reportOf(answered: readonly Row[]): string {
  const cells = [
    ['code', 'called for by', 'operation', 'REST', 'MCP', 'pointer'],
    ...answered.map(({ code, when, tool, restStatus, mcpCode, pointer }) => [
      code,
      when,
      tool,
      String(restStatus),
      `isError, ${mcpCode}`,
      pointer,
    ]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const [head = '', ...lines] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  return `# Every error about designs, over REST and MCP

Each code of \`service-api\` part 7 that a design can call for, and \`version_conflict\`, driven through both doors by
test/design/codes.test.ts, which fails when an answer differs from this table. Both doors answer the same code, message
and details; MCP adds a hint. \`UPDATE_CODES=1 npx vitest run design/codes\` writes this file.

${head}
| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |
${lines.join('\n')}
`;
}
