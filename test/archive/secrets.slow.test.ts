import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { planInstallation } from '../../src/command-line/installation.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { emptyDatabase, newHome, parley, query } from '../helpers/parley.ts';
import { failureOf } from './failure.ts';
import { tableSums } from './rows.ts';

const integrationToken = 'the token of the customers';
const passphrase = 'correct horse battery staple';

/** An installation with a demo and an integration, whose credentials are stored encrypted. */
async function installation(more: Record<string, string> = {}) {
  const env = { DATABASE_URL: await emptyDatabase(), PARLEY_HOME: newHome(), ...more };
  const { key, projectId } = JSON.parse((await succeed(['whoami', '--json'], env)).stdout);
  const credentials = { accessToken: integrationToken };
  const integration = { projectId, kind: 'crm', provider: 'hubspot', name: 'Customers', credentials };
  const args = ['call', 'create_integration', '--input', JSON.stringify(integration), '--idempotency-key'];
  /** Returns the same response for the same idempotency key, if the secret key that hashed the input is there. */
  const integrate = async (idempotencyKey: string, at: Record<string, string> = env) =>
    (await succeed([...args, idempotencyKey], at)).stdout;
  return { env, key: key as string, integrate, integrated: await integrate('once') };
}

/** An installation before its first start. */
const freshInstallation = async (more: Record<string, string> = {}) => ({
  DATABASE_URL: await emptyDatabase(),
  PARLEY_HOME: newHome(),
  ...more,
});

async function succeed(args: readonly string[], env: Record<string, string>) {
  const outcome = await parley(args, env);
  expect(outcome.code, outcome.stderr).toBe(0);
  return outcome;
}

async function failed(args: readonly string[], env: Record<string, string>): Promise<string> {
  const before = [await tableSums(env['DATABASE_URL'] ?? ''), readdirSync(env['PARLEY_HOME'] ?? '')];
  const failure = failureOf(await parley(args, env));
  expect([await tableSums(env['DATABASE_URL'] ?? ''), readdirSync(env['PARLEY_HOME'] ?? '')]).toStrictEqual(
    before,
  );
  return failure;
}

test('an export holds no secret, and imports only with the secret key of its encrypted values', async () => {
  const secrets = { PARLEY_SECRET_KEY: 'the secret key of the source' };
  const { env, key, integrate, integrated } = await installation(secrets);
  const file = path.join(env.PARLEY_HOME, 'export.gz');
  await succeed(['export', file], env);
  const text = gunzipSync(readFileSync(file)).toString();
  for (const secret of [secrets.PARLEY_SECRET_KEY, key, integrationToken]) expect(text).not.toContain(secret);

  const other = await freshInstallation({ PARLEY_SECRET_KEY: 'another secret key' });
  expect(await failed(['import', file], other)).toMatch(
    /: the rows hold values that are encrypted with a secret key that is not configured here \([0-9a-f]{8}\)\. Set PARLEY_SECRET_KEY or PARLEY_SECRET_KEY_PREVIOUS to that of the source, or use parley backup and restore\.$/,
  );
  // The import does not generate a secret key either, because that would block a restore.
  expect(await failed(['import', file], await freshInstallation())).toMatch(/not configured here/);

  const rotated = { ...other, PARLEY_SECRET_KEY_PREVIOUS: secrets.PARLEY_SECRET_KEY, PARLEY_API_KEY: key };
  await succeed(['import', file], rotated);
  expect(await integrate('once', rotated)).toBe(integrated);
});

test('encrypted values in the trash require their secret key too', async () => {
  const secrets = { PARLEY_SECRET_KEY: 'the secret key of the source' };
  const { env, key } = await installation(secrets);
  const { projectId } = JSON.parse((await succeed(['whoami', '--json'], env)).stdout);
  const externalPhoneFields = {
    provider: 'sip',
    terminationUri: 'sip.example.com',
    transport: 'tls',
    authUsername: 'desk',
    authPassword: 'the password of a trunk',
  };
  const run = async (tool: string, input: object, at: Record<string, string> = env) =>
    JSON.parse((await succeed(['call', tool, '--input', JSON.stringify(input)], at)).stdout);
  const number = { name: 'Desk', number: '+12025550123', type: 'external', externalPhoneFields };
  const { id } = await run('import_phone_number', { projectId, ...number });
  const sealed = 'select sealed_auth_password from phone_numbers where id = $1';
  const before = await query(env.DATABASE_URL, sealed, [id]);
  await run('delete_phone_number', { phoneNumberId: id });
  await query(env.DATABASE_URL, 'delete from integrations');
  const file = path.join(env.PARLEY_HOME, 'export.gz');
  await succeed(['export', file], env);
  expect(gunzipSync(readFileSync(file)).toString()).not.toContain('the password of a trunk');

  const other = await freshInstallation({ PARLEY_SECRET_KEY: 'another secret key' });
  expect(await failed(['import', file], other)).toMatch(/not configured here/);
  const same = { ...other, ...secrets, PARLEY_API_KEY: key };
  await succeed(['import', file], same);
  const { trash } = await run('list_trash', { projectId }, same);
  await run('restore_deleted', { projectId, trashId: trash[0].id }, same);
  expect(await query(same.DATABASE_URL, sealed, [id])).toStrictEqual(before);
});

test('a backup reveals nothing, and a restored one works at once with the same key and stored secrets', async () => {
  const { env, key, integrate, integrated } = await installation();
  const file = path.join(env.PARLEY_HOME, 'backup');
  await succeed(['backup', file], { ...env, PARLEY_BACKUP_PASSPHRASE: passphrase });
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  const bytes = readFileSync(file);
  const secretKey = readFileSync(path.join(env.PARLEY_HOME, 'secret-key'), 'utf8');
  for (const text of [passphrase, key, secretKey, 'Demo', 'organizations'])
    expect(bytes.includes(text), text).toBe(false);

  const fresh = await freshInstallation();
  const passphraseFile = path.join(newHome(), 'passphrase');
  writeFileSync(passphraseFile, `${passphrase}\n`);
  await succeed(['restore', file, '--passphrase-file', passphraseFile], fresh);
  expect(await tableSums(fresh.DATABASE_URL)).toStrictEqual(await tableSums(env.DATABASE_URL));
  expect((await succeed(['whoami', '--field', 'key'], fresh)).stdout).toBe(`${key}\n`);
  expect(await integrate('once', fresh)).toBe(integrated);
  for (const name of ['secret-key', 'credentials.json'])
    expect((statSync(path.join(fresh.PARLEY_HOME, name)).mode & 0o777).toString(8)).toBe('600');
});

test('a backup during a key rotation restores both secret keys', async () => {
  const older = 'the older secret key';
  const { env, integrate, integrated } = await installation({ PARLEY_SECRET_KEY: older });
  const rotated = {
    ...env,
    PARLEY_SECRET_KEY: 'the newer secret key',
    PARLEY_SECRET_KEY_PREVIOUS: older,
  };
  const again = await integrate('again', rotated);
  const file = path.join(env.PARLEY_HOME, 'backup');
  const secret = { PARLEY_BACKUP_PASSPHRASE: passphrase };
  await succeed(['backup', file], { ...rotated, ...secret });

  const fresh = await freshInstallation();
  await succeed(['restore', file], { ...fresh, ...secret });
  expect(await integrate('once', fresh)).toBe(integrated);
  expect(await integrate('again', fresh)).toBe(again);

  const withOwn = await freshInstallation({ PARLEY_SECRET_KEY: 'a third secret key', ...secret });
  expect(await failed(['restore', file], withOwn)).toMatch(
    /not configured here .*Unset PARLEY_SECRET_KEY to use the backup's keys/,
  );
});

test('rejects a backup without the secret key of the rows', async () => {
  const { env } = await installation({ PARLEY_SECRET_KEY: 'the secret key of the source' });
  const changed = { ...env, PARLEY_SECRET_KEY: 'another secret key', PARLEY_BACKUP_PASSPHRASE: passphrase };
  expect(await failed(['backup', path.join(env.PARLEY_HOME, 'backup')], changed)).toMatch(
    /encrypted with a secret key that is not configured here/,
  );
});

test('rejects a restore that does not fit, and changes nothing', async () => {
  const { env, key } = await installation();
  const folder = newHome();
  const [backup, exported] = [path.join(folder, 'backup'), path.join(folder, 'export.gz')];
  const secret = { PARLEY_BACKUP_PASSPHRASE: passphrase };
  await succeed(['backup', backup], { ...env, ...secret });
  await succeed(['export', exported], env);

  const fresh = await freshInstallation(secret);
  const rejected = (file: string, more: Record<string, string> = {}) =>
    failed(['restore', file], { ...fresh, ...more });
  expect(await rejected(backup, { PARLEY_BACKUP_PASSPHRASE: `${passphrase}!` })).toMatch(
    /: the passphrase is wrong, or the backup is damaged at byte 32: changed or cut short$/,
  );
  expect(await rejected(exported)).toMatch(/: it is an export, not a backup\. Use parley import\.$/);
  expect(await failed(['import', backup], fresh)).toMatch(
    /: it is a backup, which is encrypted\. Use parley restore\.$/,
  );
  expect(await rejected(backup, env)).toMatch(/: the database is not empty \(organizations has rows\)/);
  const own = readFileSync(path.join(env.PARLEY_HOME, 'secret-key'), 'utf8');
  writeFileSync(path.join(fresh.PARLEY_HOME, 'secret-key'), `${own}!`);
  expect(await rejected(backup)).toMatch(/ has another secret key\. Restore into a new PARLEY_HOME\.$/);
  const credentials = { url: '', organizationId: '', projectId: '', keyId: '', key };
  writeFileSync(path.join(fresh.PARLEY_HOME, 'credentials.json'), JSON.stringify(credentials));
  expect(await rejected(backup, { PARLEY_SECRET_KEY: own })).toMatch(
    /credentials\.json belongs to another database\. Restore into a new PARLEY_HOME\.$/,
  );
});

test('takes a passphrase of at least 12 characters from the environment or a file', async () => {
  const env = await freshInstallation();
  const file = path.join(env.PARLEY_HOME, 'passphrase');
  const run = async (args: readonly string[], more: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await parley(args, { ...env, ...more });
    expect(stdout).toBe('');
    return `${code} ${stderr}`;
  };
  const backup = path.join(env.PARLEY_HOME, 'backup');
  expect(await run(['backup', backup])).toBe(
    '2 parley: There is no passphrase. Set PARLEY_BACKUP_PASSPHRASE, or name a --passphrase-file.\n',
  );
  expect(await run(['restore', backup])).toBe(
    '2 parley: There is no passphrase. Set PARLEY_BACKUP_PASSPHRASE, or name a --passphrase-file.\n',
  );
  expect(await run(['backup', backup], { PARLEY_BACKUP_PASSPHRASE: 'short' })).toBe(
    '1 parley: PARLEY_BACKUP_PASSPHRASE is not valid: it takes at least 12 characters.\n',
  );
  expect(await run(['backup', backup, '--passphrase-file', file])).toBe(
    `1 parley: The passphrase file ${file} cannot be read (ENOENT).\n`,
  );
  writeFileSync(file, 'short\n');
  expect(await run(['backup', backup, '--passphrase-file', file])).toBe(
    `1 parley: The passphrase in ${file} has fewer than 12 characters. Use a longer one.\n`,
  );
  expect(await run(['backup', backup, '--passphrase', passphrase])).toMatch(
    /^2 parley: There is no option --passphrase\./,
  );
  expect(existsSync(backup)).toBe(false);
});

test('a restore that fails at its end removes the secrets that it wrote', () => {
  const home = path.join(newHome(), 'new');
  const credentials = JSON.stringify({ url: '', organizationId: '', projectId: '', keyId: '', key: '' });
  const plan = planInstallation(
    readConfig({ PARLEY_HOME: home }),
    { secretKeys: ['one', 'two'], credentials },
    [],
  );
  plan.write();
  expect(readdirSync(home).toSorted()).toStrictEqual([
    'credentials.json',
    'secret-key',
    'secret-key-previous',
  ]);
  plan.undo();
  expect(readdirSync(home)).toStrictEqual([]);
});

test('every bytea column is a hash or named sealed_…, because an export relies on it', async () => {
  const [{ DATABASE_URL: url }] = [(await installation()).env];
  const columns = await query(
    url,
    `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type = 'bytea' order by 1`,
  );
  expect(columns.map(({ name }) => name)).toStrictEqual([
    'api_keys.hash',
    // Replicas of the last release store responses with a secret here.
    'idempotency_keys.sealed_answer',
    'integrations.sealed_credentials',
    'knowledge_files.sealed_content',
    // Archives leave sign-ins out.
    'oauth_records.id_hash',
    'phone_numbers.sealed_auth_password',
    // Archives leave values out that a person has entered and no call has taken.
    'secret_requests.sealed_value',
    'secret_requests.token_hash',
    'secrets.sealed_value',
    'tasks.sealed_content',
    'trash.sealed_content',
    // Archives leave uploads out.
    'upload_pieces.sealed_content',
    'uploads.token_hash',
    'voice_references.sealed_audio',
    'web_agents.sealed_handover_secret',
  ]);
});
