import type { Knex } from 'knex';

/** Bytes of what one change records about all records, and about one of them. */
const [mostOfChange, mostOfRecord] = [65_536, 16_384];

/**
 * What of each table's records a change can undo: that they were made and deleted, and the values that these columns had. Of a
 * column that begins with `sealed_`, only that it changed.
 */
const recorded: readonly { table: string; parent?: string; columns?: readonly string[] }[] = [
  {
    table: 'agent_profiles',
    columns: ['name', 'is_default', 'supported_input_languages', 'reasoning_mode', 'output_voice_id'],
  },
  {
    table: 'conversations',
    columns: [
      'name',
      'description',
      'agent_profile_id',
      'requires_scenarios',
      'newest_version',
      'active_version',
    ],
  },
  { table: 'flows', columns: ['name', 'description', 'agent_profile_id', 'newest_version'] },
  { table: 'integrations' },
  { table: 'knowledge_bases' },
  { table: 'knowledge_sources', parent: 'knowledge_base_id' },
  {
    table: 'phone_numbers',
    columns: [
      'name',
      'status',
      'flow_id',
      'conversation_id',
      'external_phone_fields',
      'sealed_auth_password',
    ],
  },
  { table: 'scenarios', parent: 'conversation_id', columns: ['tags', 'content'] },
  { table: 'voices' },
  {
    table: 'web_agents',
    columns: ['name', 'scopes', 'allowed_origins', 'conversation_id', 'status', 'sealed_handover_secret'],
  },
];

const projectColumns = [
  'name',
  'description',
  'status',
  'channels',
  'industry',
  'require_disclosure',
  'session_retention_days',
  'time_zone',
  'opening_hours',
  'closed_on',
];

/**
 * Adds entries to a setting of the transaction, which the audit row of the change takes. So a change needs no further
 * statement, and neither do the functions: an assignment runs none, but PERFORM does. An import has no audit row; the bound
 * keeps its setting short.
 */
const functions = `
  create function add_former_values(entry jsonb) returns text
    language plpgsql set search_path from current
    as $function$
    declare
      recorded text := coalesce(current_setting('parley.former_values', true), '');
    begin
      if right(recorded, 14) = '{"more": true}' then return recorded; end if;
      if octet_length(entry::text) > ${mostOfRecord} then
        entry := (entry - 'was') || '{"large": true}';
      end if;
      if octet_length(recorded) + octet_length(entry::text) > ${mostOfChange} then
        entry := '{"more": true}';
      end if;
      return set_config('parley.former_values', concat_ws(',', nullif(recorded, ''), entry::text), true);
    end $function$;

  create function record_former_values() returns trigger
    language plpgsql set search_path from current
    as $function$
    declare
      before jsonb;
      after jsonb;
      changed jsonb := '{}';
      name text;
      entry jsonb;
      recorded text;
    begin
      if tg_op = 'UPDATE' then
        before := to_jsonb(old);
        after := to_jsonb(new);
        foreach name in array tg_argv[1:] loop
          if before->name is distinct from after->name then
            changed := jsonb_set(changed, array[name], case when name like 'sealed\\_%' then 'true' else before->name end);
          end if;
        end loop;
        if changed = '{}' then return null; end if;
        entry := jsonb_build_object('was', changed);
      elsif tg_op = 'INSERT' then
        after := to_jsonb(new);
        entry := '{"made": true}';
      else
        after := to_jsonb(old);
        entry := '{"gone": true}';
      end if;
      entry := entry || jsonb_build_object('table', tg_table_name, 'id', after->'id');
      if tg_argv[0] <> '' then entry := entry || jsonb_build_object('parent', after->(tg_argv[0])); end if;
      recorded := add_former_values(entry);
      return null;
    end $function$;

  create function record_former_flow_version() returns trigger
    language plpgsql set search_path from current
    as $function$
    declare recorded text;
    begin
      recorded := add_former_values(jsonb_build_object('table', 'flows', 'id', old.flow_id,
        'was', jsonb_build_object('active_version', old.version)));
      return null;
    end $function$;
`;

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/** A source that is indexed, and a scenario that is played, change often, but in none of these columns. */
const triggers = recorded.map(
  ({ table, parent = '', columns = [] }) => `
    create trigger ${table}_former_values
      after insert or delete ${columns.length > 0 ? `or update of ${columns.join(', ')}` : ''} on ${table}
      for each row execute function record_former_values(${quoted([parent, ...columns])});`,
);

const others = `
  create trigger projects_former_values after update of ${projectColumns.join(', ')} on projects
    for each row execute function record_former_values(${quoted(['', ...projectColumns])});
  create trigger flow_versions_former_values after update of is_active on flow_versions
    for each row when (old.is_active and not new.is_active) execute function record_former_flow_version();
`;

export async function up(db: Knex): Promise<void> {
  // Null in rows of earlier releases: what such a change replaced is not known.
  await db.raw('alter table audit_log add column former json');
  await db.raw(functions);
  await db.raw(triggers.join('\n'));
  await db.raw(others);
}
