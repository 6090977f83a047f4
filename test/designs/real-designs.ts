import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Design } from '../../src/design/schema/design.ts';
import { hostOf } from '../../src/design/secret-binding.ts';
import { secretReferences } from '../../src/design/secrets.ts';
import { type IdKind, newId } from '../../src/platform/id.ts';
import type { Tenant, World } from '../helpers/world.ts';

/** The names of the real designs, without `.json`. */
export const designNames = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => path.basename(name, '.json'))
  .toSorted();

/** A real design with placeholders instead of record ids. */
export function rawDesign(name: string): Design {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, `${name}.json`), 'utf8')) as Design;
}

const kinds: Readonly<Record<string, IdKind>> = {
  kb: 'knowledgeBase',
  in: 'integration',
  cv: 'conversation',
};

/**
 * A real design with the ids of records of the tenant's project. Each call creates new integrations, knowledge bases and
 * conversations; secrets are created once, and bound to where designs send them.
 */
export async function realDesign(
  world: Pick<World, 'rows'>,
  { projectId }: Pick<Tenant, 'projectId'>,
  name: string,
): Promise<Design> {
  let text = JSON.stringify(rawDesign(name));
  const { integrations = [] } = rawDesign(name);
  for (const placeholder of new Set(text.match(/\bc(?:kb|in|cv)\d{7}\b/g))) {
    const id = newId(kinds[placeholder.slice(1, 3)] ?? 'conversation');
    const kind = integrations.find(({ integrationId }) => integrationId === placeholder)?.kind;
    await world.rows(...insertion(projectId, id, kind));
    text = text.replaceAll(placeholder, id);
  }
  const design = JSON.parse(text) as Design;
  for (const { name: secret, url, header } of secretReferences(design))
    await world.rows(
      `insert into secrets as known (project_id, name, sealed_value, hosts, headers, in_url) values ($1, $2, '', $3, $4, $5)
       on conflict (project_id, name) do update set hosts = known.hosts || excluded.hosts,
         headers = known.headers || excluded.headers, in_url = known.in_url or excluded.in_url`,
      [projectId, secret, [hostOf(url)], header === null ? [] : [header.toLowerCase()], header === null],
    );
  return design;
}

/** Inserts a record directly, so that no plan limits apply. */
function insertion(projectId: string, id: string, kind = 'crm'): [sql: string, values: unknown[]] {
  switch (id.slice(1, 3)) {
    case 'kb':
      return [
        `insert into knowledge_bases (project_id, id, name) values ($1, $2, 'Knowledge')`,
        [projectId, id],
      ];
    case 'in':
      return [
        `insert into integrations (project_id, id, kind, provider, name) values ($1, $2, $3, 'hubspot', 'System')`,
        [projectId, id, kind],
      ];
    default:
      return [
        `insert into conversations (project_id, id, name, kind, newest_version, active_version)
         values ($1, $2, 'Other line', 'simple', 1, 1)`,
        [projectId, id],
      ];
  }
}
