import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { newId } from '../../src/platform/id.ts';
import { modelDisclosure } from '../../src/services/models/disclosure.ts';
import { type Door, type ErrorBody, openDoor, wordsOf } from '../contract/doors.ts';
import { toolNamed } from '../contract/registry.ts';
import type { Input } from '../contract/rest-request.ts';
import { disclosedDesign, disclosing } from '../designs/disclosed.ts';
import { created, type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { codeDamages, damagedFor } from './code-damages.ts';

const file = new URL('../../docs/measurements/designs.md', import.meta.url);

/** Conversations that the plan `starter` allows (`decisions#plan-limits`). */
const allowed = 10;

/** The only line that goes to the model that cannot be reached. */
const unconfirmed = `${disclosing} Who is calling?`;

/** A call that fails with the same error over REST and MCP. */
interface Case {
  readonly code: string;
  readonly status: number;
  /** The cause, for the table. */
  readonly when: string;
  readonly tool: string;
  readonly input: () => Input;
}

/** A case with its responses. */
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
  created(await project.write(imported, starterDesign));
  await project.store(imported, 2, { ...starterDesign, steps: { greeting: { kind: 'game' } } });
  created(await project.write(advanced, clinic));
  for (let count = 3; count < allowed; count++) await project.newConversation();
});
afterAll(() => world.close());

const writing = (design: unknown, conversationId = advanced, version = 2) => ({
  conversationId,
  design,
  version,
});

const damages: Readonly<Record<string, string>> = {
  invalid_request: 'an unknown member',
  not_found: 'a knowledge base that the project does not have',
  invalid_transition: 'an exit to an unknown step',
  invalid_route_option: 'a route option with a description alone',
  invalid_layout_ref: 'a layout entry for an unknown step',
  unknown_integration_ref: 'an integration that the project does not have',
  integration_kind_mismatch: 'an integration of another kind',
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
    when: 'an invalid version number',
    tool: 'read_design',
    input: () => ({ conversationId: advanced, version: 0 }),
  },
  {
    code: 'not_found',
    status: 404,
    when: 'an unknown conversation',
    tool: 'write_design',
    input: () => writing(clinic, newId('conversation')),
  },
  {
    code: 'not_found',
    status: 404,
    when: 'an unknown version',
    tool: 'activate_conversation_version',
    input: () => ({ conversationId: advanced, version: 3 }),
  },
  {
    code: 'not_yet_supported',
    status: 501,
    when: 'reading the design of a simple conversation',
    tool: 'read_design',
    input: () => ({ conversationId: simple, version: 1 }),
  },
  {
    code: 'not_yet_supported',
    status: 501,
    when: 'writing the design of a simple conversation',
    tool: 'write_design',
    input: () => writing(clinic, simple, 1),
  },
  {
    code: 'unsupported_step',
    status: 501,
    when: 'reading a stored step of a kind that is not exposed',
    tool: 'read_design',
    input: () => ({ conversationId: imported, version: 2 }),
  },
  {
    code: 'unsupported_step',
    status: 501,
    when: 'activating such a version',
    tool: 'activate_conversation_version',
    input: () => ({ conversationId: imported, version: 2 }),
  },
  {
    code: 'validation_unavailable',
    status: 503,
    when: 'a changed line while the model that confirms it cannot be reached',
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
    when: 'a version that is not the newest',
    tool: 'write_design',
    input: () => writing(clinic, advanced, 1),
  },
];

function withIntroLine(introLine: string): unknown {
  const { welcome, ...steps } = clinic.steps;
  return { ...clinic, steps: { welcome: { ...welcome, introLine }, ...steps } };
}

const rows: Row[] = [];

test.each(cases)('returns $code for $when', async ({ tool: name, input, ...expected }) => {
  const tool = toolNamed(name);
  const sent = input();
  const [overRest, overMcp] = [await rest.call(tool, sent), await mcp.call(tool, sent)];
  if (!overRest.error || !overMcp.error) throw new Error('the call succeeded');
  const { code, status } = expected;
  expect({ code: overRest.error.code, status: overRest.status }).toEqual({ code, status });
  // Only path parameters have other names on MCP.
  const renamed = JSON.stringify(wordsOf(overMcp.error))
    .replaceAll('"/conversationId"', '"/id"')
    .replaceAll(/(?<=[" ])\/version\b/g, '/n');
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

test('writes nothing for any of these calls', async () => {
  expect(await project.versions(advanced)).toHaveLength(2);
  expect(
    await world.rows('select 1 from conversations where project_id = $1', [project.projectId]),
  ).toHaveLength(allowed);
});

test('matches docs/measurements/designs.md', () => {
  expect(rows).toHaveLength(cases.length);
  const report = reportOf(rows);
  if (process.env['UPDATE_CODES'] === '1') writeFileSync(file, report);
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  expect(committed, 'to accept the difference: UPDATE_CODES=1 npx vitest run design/codes').toBe(report);
});

/** The places that an error names, with the part of the request. */
function pointerOf({ code, details }: ErrorBody): string {
  const { issues = [] } = (details ?? {}) as { issues?: { in?: string; path?: string; message: string }[] };
  // In design_invalid the message starts with the path (`decisions#order-of-design-errors`).
  const places = issues.map(({ in: part, path, message }) =>
    [part, code === 'design_invalid' ? message.split(':')[0] : path].filter(Boolean).join(' '),
  );
  return places.map((place) => `\`${place}\``).join(', ') || '–';
}

function reportOf(answered: readonly Row[]): string {
  const cells = [
    ['code', 'cause', 'operation', 'REST', 'MCP', 'pointer'],
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

Each error code that a design can cause (\`service-api#errors\`, and \`version_conflict\`), over REST and MCP.
test/design/codes.test.ts fails if a response differs from this table. Both return the same code, message and details;
MCP adds a hint. \`UPDATE_CODES=1 npx vitest run design/codes\` writes this file.

${head}
| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |
${lines.join('\n')}
`;
}
