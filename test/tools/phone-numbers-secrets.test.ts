import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVault } from '../../src/platform/vault.ts';
import { type NumberProject, nextNumber, openNumberProject, trunk } from '../helpers/number-project.ts';
import { type McpTransport, openWorld, type World } from '../helpers/world.ts';

/** Part of every password that these tests send. */
const marker = 'zq7pass';
const hexadecimal = Buffer.from(marker).toString('hex');
const logged: string[] = [];

let world: World;
let project: NumberProject;
beforeAll(async () => {
  world = await openWorld({
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  });
  project = await openNumberProject(world);
});
afterAll(() => world.close());

const withPassword = (authPassword: unknown) => ({ ...trunk, authUsername: 'desk', authPassword });

/** Every row of every table, as text. */
async function everyRow(): Promise<string> {
  const tables = await world.rows(
    `select quote_ident(relname) as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  const texts = [];
  for (const { name } of tables)
    texts.push(JSON.stringify(await world.rows(`select row::text from ${name as string} as row`)));
  return texts.join('\n');
}

test('shows a password in no response, log line, error or row, whether the call succeeds or fails', async () => {
  const { numbers, key, importNumber, update } = project;
  const headers = { 'idempotency-key': randomUUID() };
  const flowId = await project.newFlow();
  const body = {
    name: 'Kept',
    number: nextNumber(),
    type: 'external',
    externalPhoneFields: withPassword(`${marker} one`),
  };
  const first = await world.rest('POST', numbers, { key, headers, body });
  expect(first.status).toBe(201);
  const { id } = first.body;
  await project.newNumber({ externalPhoneFields: withPassword(marker) });
  const answers = [
    first,
    await world.rest('POST', numbers, { key, headers, body }),
    await update(id, { externalPhoneFields: { authPassword: `${marker} two` } }),
    await importNumber({ number: body.number, externalPhoneFields: withPassword(marker) }),
    await importNumber({ flowId: project.projectId, externalPhoneFields: withPassword(marker) }),
    await importNumber({ type: 'partner', externalPhoneFields: withPassword(marker) }),
    await importNumber({ externalPhoneFields: { ...trunk, authPassword: marker } }),
    await importNumber({
      externalPhoneFields: { ...withPassword(marker), password: marker, transport: marker },
    }),
    await importNumber({ externalPhoneFields: withPassword([marker]) }),
    await importNumber({ externalPhoneFields: withPassword(marker.repeat(200)) }),
    await importNumber({ externalPhoneFields: { ...trunk, terminationUri: `sip:user:${marker}@host` } }),
    await world.rest('POST', numbers, { key, body: `{"externalPhoneFields": {"authPassword": "${marker}"` }),
    await world.rest('POST', numbers, { body }),
    await project.assignFlow(id, flowId),
    await project.call('GET', numbers),
  ];
  const codes = [201, 201, 200, 409, 404, 400, 400, 400, 400, 400, 400, 400, 401, 200, 200];
  expect(answers.map(({ status }) => status)).toEqual(codes);
  const shown = answers.map((answer) => JSON.stringify([answer.body, [...answer.headers]]));

  const call = async (transport: McpTransport, name: string, input: Record<string, unknown>) => {
    const result = await (await world.mcp(transport, key)).callTool({ name, arguments: input });
    shown.push(JSON.stringify(result));
    return result;
  };
  const change = { phoneNumberId: id, externalPhoneFields: { authPassword: `${marker} three` } };
  expect((await call('modern http', 'update_phone_number', change)).isError).toBeFalsy();
  const wrong = { phoneNumberId: id, externalPhoneFields: { authPassword: { marker } } };
  expect((await call('legacy http', 'update_phone_number', wrong)).isError).toBe(true);
  await call('modern http', 'get_phone_number', { phoneNumberId: id });

  const before = await everyRow();
  await project.remove(id);
  const rows = `${before}\n${await everyRow()}`;
  expect(rows).toContain(id);
  for (const text of [...shown, ...logged, rows]) {
    expect(text).not.toContain(marker);
    expect(text).not.toContain(hexadecimal);
  }
  expect(logged.length).toBeGreaterThan(answers.length);
});

test('decrypts a password only in the row of its own number', async () => {
  const id = await project.newNumber({ externalPhoneFields: withPassword(marker) });
  const [row] = await world.rows('select sealed_auth_password as sealed from phone_numbers where id = $1', [
    id,
  ]);
  const vault = openVault(['a secret key of the tests']);
  const open = (context: string) => vault.open(row?.['sealed'] as Buffer, context);
  expect(open(`phone_numbers ${project.projectId} ${id}`)).toBe(marker);
  expect(() => open(`secrets ${project.projectId} ${id}`)).toThrow('unable to authenticate');
});

test('leaves the password out of the hash in the audit log', async () => {
  const fresh = await openNumberProject(world);
  const id = await fresh.newNumber();
  for (const authPassword of ['short', 'other'])
    await fresh.update(id, { externalPhoneFields: { authUsername: 'desk', authPassword } });
  const hashes = await world.rows(
    `select input_hash from audit_log where project_id = $1 and operation = 'update_phone_number'`,
    [fresh.projectId],
  );
  expect(hashes).toHaveLength(2);
  expect(hashes[1]).toStrictEqual(hashes[0]);
});
