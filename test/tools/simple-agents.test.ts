import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Door, type Outcome, openDoor } from '../contract/doors.ts';
import { toolNamed } from '../contract/registry.ts';
import type { Input } from '../contract/rest-request.ts';
import { disclosing } from '../designs/disclosed.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const sms = { greeting: disclosing, skills: [{ key: 'answerQuestions' }, { key: 'sendSms' }] };
const locked = {
  path: '/skills/1/key',
  message: 'The plan free does not include the skill sendSms. Disable it, or change the plan.',
};
const agent = {
  name: 'Agent',
  isDefault: false,
  supportedInputLanguages: ['en'],
  reasoningMode: 'fast',
  outputVoiceId: 'alloy',
};

describe.each(['REST', 'modern http'] as const)('in a simple project, over %s', (name) => {
  let tenant: Tenant;
  let door: Door;
  beforeEach(async () => {
    tenant = await world.tenant({ mode: 'simple', plan: 'free' });
    door = await openDoor(world, name, tenant.key);
  });

  const call = (tool: string, input: Input) => door.call(toolNamed(tool), input);
  // Untyped: each test states what it expects.
  async function done(tool: string, input: Input): Promise<ReturnType<typeof JSON.parse>> {
    const { value, error } = await call(tool, input);
    expect(error).toBeUndefined();
    return value;
  }
  const inProject = (input: Input = {}) => ({ projectId: tenant.projectId, ...input });
  const newFlow = (flowSchema: unknown, more: Input = {}) =>
    done('create_flow', inProject({ name: 'Flow', flowSchema, ...more }));
  const newAgent = (flowIds: string[] = []) => done('create_agent_profile', inProject({ ...agent, flowIds }));
  const newVersion = (flowId: string, flowSchema: unknown) =>
    done('create_flow_version', { flowId, flowSchema });

  /** Expects exactly this problem. */
  function refused({ error, hint, status }: Outcome, issues: object[]): void {
    expect(error).toMatchObject({ code: 'simple_agent_invalid', details: { issues } });
    expect(error?.details?.['issues']).toHaveLength(issues.length);
    if (name === 'REST') expect(status).toBe(422);
    else expect(hint).toContain('edit_flow {');
  }

  test('does not create or replace an agent with a flow that enables a locked skill', async () => {
    const flow = await newFlow(sms);
    refused(await call('create_agent_profile', inProject({ ...agent, flowIds: [flow.id] })), [locked]);
    const { agentProfiles } = await done('list_agent_profiles', inProject());
    expect(agentProfiles).toStrictEqual([]);
    const before = await newAgent();
    const input = { agentProfileId: before.id, ...agent, name: 'Other', flowIds: [flow.id] };
    refused(await call('replace_agent_profile', input), [locked]);
    expect(await done('get_agent_profile', { agentProfileId: before.id })).toStrictEqual(before);
  });

  test('does not create a flow with a locked skill for an agent, or assign one', async () => {
    const { id: agentProfileId } = await newAgent();
    refused(await call('create_flow', inProject({ name: 'Flow', flowSchema: sms, agentProfileId })), [
      locked,
    ]);
    expect((await done('list_flows', inProject())).flows).toStrictEqual([]);
    const flow = await newFlow(sms);
    refused(await call('update_flow', { flowId: flow.id, name: 'Other', agentProfileId }), [locked]);
    const { versionId: _, warnings: __, ...record } = flow;
    expect(await done('get_flow', { flowId: flow.id })).toMatchObject(record);
  });

  test('stores a version with a locked skill, but does not activate it while an agent has the flow', async () => {
    const flow = await newFlow({});
    const { id: agentProfileId } = await newAgent([flow.id]);
    const { warnings: _, ...version } = await newVersion(flow.id, sms);
    refused(await call('activate_flow_version', { versionId: version.id }), [locked]);
    expect(await done('get_flow_version', { versionId: version.id })).toMatchObject({
      ...version,
      flowSchema: sms,
    });
    await done('update_flow', { flowId: flow.id, agentProfileId: null });
    await done('activate_flow_version', { versionId: version.id });
    refused(await call('update_flow', { flowId: flow.id, agentProfileId }), [locked]);
  });

  test('rejects one of an activation and an agent that takes the flow at the same moment', async () => {
    for (let round = 0; round < 6; round++) {
      const flow = await newFlow({});
      const { id: agentProfileId } = await newAgent();
      const { id: versionId } = await newVersion(flow.id, sms);
      const input = { agentProfileId, ...agent, flowIds: [flow.id] };
      const outcomes = await Promise.all([
        call('activate_flow_version', { versionId }),
        round % 2
          ? call('replace_agent_profile', input)
          : call('update_flow', { flowId: flow.id, agentProfileId }),
      ]);
      expect(outcomes.flatMap(({ error }) => error?.code ?? [])).toStrictEqual(['simple_agent_invalid']);
    }
  });

  test('does not restore a flow whose skill the plan has locked since', async () => {
    const { id: agentProfileId } = await newAgent();
    await world.rows(`update projects set plan = 'growth' where id = $1`, [tenant.projectId]);
    const flow = await newFlow(sms, { agentProfileId });
    await done('delete_flow', { flowId: flow.id });
    const [{ id: trashId }] = (await done('list_trash', inProject())).trash;
    await world.rows(`update projects set plan = 'free' where id = $1`, [tenant.projectId]);
    refused(await call('restore_deleted', inProject({ trashId })), [locked]);
    expect((await call('get_flow', { flowId: flow.id })).error?.code).toBe('not_found');
    await world.rows(`update projects set plan = 'growth' where id = $1`, [tenant.projectId]);
    await done('restore_deleted', inProject({ trashId }));
    const { versionId: _, warnings: __, ...record } = flow;
    expect(await done('get_flow', { flowId: flow.id })).toMatchObject(record);
  });

  test('reports every wrong setting at once, with the expected one', async () => {
    const skills: object[] = [
      { key: 'sendSms', enabled: false, settings: { to: '+12025550143', text: 'Thank you.' } },
      { key: 'answerQuestions', settings: { maxTurns: 3, tone: 'warm' } },
      { key: 'collectDetails', settings: { maxAttempts: 1.5, constructor: 1 } },
      { key: 'transferCalls', settings: { number: '555', mode: 'hot' } },
      { key: 'recordWithConsent', enabled: false, settings: { line: ' ' } },
      { key: 'lookUpData', enabled: true, settings: { url: 'ftp://x' } },
      { key: 'constructor', settings: { any: 'thing' } },
    ];
    const flow = await newFlow({ skills });
    refused(await call('create_agent_profile', inProject({ ...agent, flowIds: [flow.id] })), [
      {
        path: '/skills/1/settings/tone',
        message: 'The skill answerQuestions has no setting "tone". Its settings are: maxTurns.',
      },
      { path: '/skills/2/settings/maxAttempts', message: 'Expected a whole number from 1 to 100.' },
      {
        path: '/skills/2/settings/constructor',
        message: 'The skill collectDetails has no setting "constructor". Its settings are: maxAttempts.',
      },
      {
        path: '/skills/3/settings/number',
        message: 'Expected a number with its country code, such as +12025550143.',
      },
      { path: '/skills/3/settings/mode', message: 'Expected "cold" or "warm".' },
      { path: '/skills/4/settings/line', message: 'Expected text that is not blank.' },
      {
        path: '/skills/5/key',
        message: 'The plan free does not include the skill lookUpData. Disable it, or change the plan.',
      },
      {
        path: '/skills/5/settings/url',
        message: 'Expected a URL that starts with https:// or http:// and has no user name.',
      },
    ]);
  });

  test('accepts valid settings, skills of the plan, disabled skills and unknown keys', async () => {
    const skills = [
      { key: 'answerQuestions', enabled: true, settings: { maxTurns: 100 } },
      { key: 'transferCalls', settings: { number: '+12025550143', mode: 'warm' } },
      { key: 'sendSms', enabled: false },
      { key: 'juggle', settings: { balls: 5 } },
    ];
    const flow = await newFlow({ skills });
    const profile = await newAgent([flow.id]);
    expect(profile.flowIds).toStrictEqual([flow.id]);
    const version = await newVersion(flow.id, { skills: skills.slice(1) });
    await done('activate_flow_version', { versionId: version.id });
  });

  test('marks the locked skills in list_templates, and none for other projects', async () => {
    const availability = async (of: Door) => {
      const { value } = await of.call(toolNamed('list_templates'), {});
      const skills: { key: string; availability: string }[] = [];
      for (const { key } of (value as { templates: { key: string }[] }).templates) {
        const one = await of.call(toolNamed('list_templates'), { templateKey: key });
        const { templates } = one.value as { templates: { skills: typeof skills }[] };
        skills.push(...templates.flatMap((template) => template.skills));
      }
      return Object.fromEntries(skills.map((skill) => [skill.key, skill.availability]));
    };
    expect(await availability(door)).toMatchObject({
      answerQuestions: 'included',
      recordWithConsent: 'locked',
      lookUpData: 'locked',
      sendSms: 'locked',
    });
    await world.rows(`update projects set plan = 'starter' where id = $1`, [tenant.projectId]);
    expect(await availability(door)).toMatchObject({
      recordWithConsent: 'beta',
      lookUpData: 'included',
      sendSms: 'locked',
    });
    const advanced = await world.tenant({ plan: 'free' });
    const open = await availability(await openDoor(world, name, advanced.key));
    expect(Object.values(open)).not.toContain('locked');
    const flow = await openDoor(world, name, advanced.key);
    const input = { projectId: advanced.projectId, name: 'Flow', flowSchema: sms };
    const { value } = await flow.call(toolNamed('create_flow'), input);
    const flowIds = [(value as { id: string }).id];
    const spoken = await flow.call(toolNamed('create_agent_profile'), {
      projectId: advanced.projectId,
      ...agent,
      flowIds,
    });
    expect(spoken.error).toBeUndefined();
  });

  test.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    'writes nothing and returns Retry-After if %s ends the read of the flow',
    async (fault) => {
      const flow = await newFlow({});
      const before = await newAgent([flow.id]);
      const input = { agentProfileId: before.id, ...agent, name: 'Other', flowIds: [flow.id] };
      await world.core.knex.transaction(async (trx) => {
        await trx.raw('lock table flow_versions in access exclusive mode');
        const replacing = call('replace_agent_profile', input);
        // Postgres also cancels a statement that exceeds its timeout.
        const waits = `select pid from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%as configuration%'`;
        await expect.poll(() => world.rows(waits)).toHaveLength(1);
        await world.rows(`select ${fault}(pid) from (${waits}) as waiting`);
        const { error, status } = await replacing;
        expect(error).toStrictEqual({
          code: 'agent_config_unavailable',
          message: 'The agent configuration is not available right now. Nothing was written.',
          requestId: expect.any(String),
        });
        if (name === 'REST') expect(status).toBe(503);
      });
      expect(await done('get_agent_profile', { agentProfileId: before.id })).toStrictEqual(before);
      await done('replace_agent_profile', input);
    },
  );
});
