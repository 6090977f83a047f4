import * as v from 'valibot';
import { problemsToday } from '../../src/resources/designs/prepare.ts';
import { greetingWarnings } from '../../src/resources/flows/greeting.ts';
import { Project } from '../../src/resources/projects/schema.ts';
import type { LiveDocument, Overview } from '../../src/store/overview.ts';
import { accesses } from '../../src/tool/access.ts';
import { defineTool } from '../../src/tool/define.ts';
import { Cuid, ref } from '../../src/tool/reference.ts';

const named = { id: Cuid, name: v.string() };
const version = v.nullable(v.pipe(v.number(), v.integer()));

/** Characters of a name in the list of the newest records. */
const longestListed = 30;
const mostOfAKind = 4;
/** Characters of an overview with its newest records: about 600 tokens, because an id of 29 characters takes 17. */
const mostCharacters = 1_600;
/** Quotes, a colon, a comma, and a share of the name of the kind. */
const charactersOfAnEntry = 12;
/** Characters of a name or an error. */
const longestText = 80;

export const getProjectOverview = defineTool({
  name: 'get_project_overview',
  title: 'Get a project overview',
  description:
    'A first look at a project: what it has, what callers meet, drafts that are not live, problems, and what to do next. Call it first.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/overview' },
  input: v.strictObject({ projectId: ref('project') }),
  output: v.strictObject({
    project: v.strictObject({
      ...v.pick(Project, ['name', 'plan', 'status']).entries,
      requireDisclosure: v.boolean(),
    }),
    access: v.array(v.picklist(accesses)),
    counts: v.record(v.string(), v.number()),
    newest: v.record(v.string(), v.record(Cuid, v.string())),
    live: v.array(
      v.strictObject({
        at: v.string(),
        kind: v.picklist(['flow', 'conversation']),
        ...named,
        version,
      }),
    ),
    drafts: v.array(
      v.strictObject({
        kind: v.picklist(['flow', 'conversation']),
        ...named,
        active: version,
        newest: version,
      }),
    ),
    problems: v.array(v.string()),
    next: v.array(v.string()),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false },
  async handler({ stores, services, caller }) {
    const [{ name, plan, status }, overview] = await Promise.all([
      stores.projects.current(),
      stores.overview.look(),
    ]);
    const live = liveIn(overview);
    const documents = await stores.overview.live([...new Set(live.map(({ id }) => id))]);
    const failing: LiveDocument[] = [];
    for (const one of documents) {
      await services.turn(caller);
      if (failsToday(one)) failing.push(one);
    }
    const { requireDisclosure } = overview;
    const listed = {
      project: { name, plan, status, requireDisclosure },
      access: [...caller.access],
      counts: overview.counts,
      live,
      drafts: overview.drafts.map(({ kind, id, name: ofDraft, active, newest }) => ({
        kind: kind as 'flow',
        id,
        name: short(ofDraft),
        active,
        newest,
      })),
      problems: [...problemsOf(status, overview), ...failuresOf(failing, requireDisclosure)],
      next: nextIn(overview),
    };
    return { ...listed, newest: newestOf(overview, listed) };
  },
});

/** The newest records of each kind that are not listed yet, as names by id, as many as leave the overview short. */
function newestOf(
  { records, numbers, webAgents }: Overview,
  listed: Readonly<Record<string, unknown>>,
): Record<string, Record<string, string>> {
  const text = JSON.stringify(listed);
  const newest: Record<string, Record<string, string>> = {};
  let left = mostCharacters - text.length;
  const kinds = Object.entries({ ...records, phoneNumbers: numbers, webAgents });
  // One of each kind, then the second of each.
  for (let index = 0; index < mostOfAKind; index++)
    for (const [kind, list] of kinds) {
      const record = list[index];
      if (!record || text.includes(record.id)) continue;
      const name = record.name.slice(0, longestListed);
      left -= record.id.length + name.length + charactersOfAnEntry;
      if (left >= 0) newest[kind] = { ...newest[kind], [record.id]: name };
    }
  return newest;
}

type Live = { at: string; kind: 'flow' | 'conversation'; id: string; name: string; version: number | null };

function liveIn({ numbers, webAgents }: Overview): Live[] {
  const onNumbers = numbers.flatMap(({ number, isEnabled, handler }) =>
    handler && isEnabled
      ? [{ ...handler, kind: handler.kind as 'flow', at: number, name: short(handler.name) }]
      : [],
  );
  const onPages = webAgents
    .filter(({ isEnabled }) => isEnabled)
    .map(({ name, conversationId: id, version: active }) => ({
      at: `web agent ${short(name)}`,
      kind: 'conversation' as const,
      id,
      name: short(name),
      version: active,
    }));
  return [...onNumbers, ...onPages];
}

function problemsOf(status: string, overview: Overview): string[] {
  const { numbers, webAgents, failedSources, deniedIntegrations } = overview;
  return [
    ...(status === 'active' ? [] : [`The project is ${status}.`]),
    ...numbers
      .filter(({ isEnabled, handler }) => isEnabled && !handler)
      .map(
        ({ id, number }) =>
          `${number} has no handler: assign_conversation or assign_flow {phoneNumberId: ${id}}.`,
      ),
    ...numbers.filter(({ isEnabled }) => !isEnabled).map(({ number }) => `${number} is disabled.`),
    ...webAgents
      .filter(({ isEnabled }) => !isEnabled)
      .map(({ name }) => `The web agent ${short(name)} is disabled.`),
    ...failedSources.map(({ name, error }) => `The source ${short(name)} failed: ${short(error)}`),
    ...deniedIntegrations.map(
      ({ name, status: is }) => `The integration ${short(name)} has the status ${is}.`,
    ),
  ];
}

/** True for a flow whose greeting does not disclose the AI, and for a design that could not go live today. */
function failsToday({ kind, document }: LiveDocument): boolean {
  if (kind === 'flow') return greetingWarnings(document).length > 0;
  return problemsToday(document).length > 0;
}

function failuresOf(failing: readonly LiveDocument[], requireDisclosure: boolean): string[] {
  const named = (wanted: LiveDocument['kind']) =>
    failing
      .filter(({ kind }) => kind === wanted)
      .map(({ name }) => short(name))
      .join(', ');
  const [flows, conversations] = [named('flow'), named('conversation')];
  const required = requireDisclosure ? ', although the project requires it' : '';
  return [
    ...(flows
      ? [`Live flows do not disclose the AI${required}: ${flows}. edit_flow, then activate_flow_version.`]
      : []),
    ...(conversations
      ? [
          `Live versions could not be activated today: ${conversations}. activate_conversation_version says why.`,
        ]
      : []),
  ];
}

/** At most three calls that would help now. */
function nextIn({ counts, drafts, numbers, webAgents }: Overview): string[] {
  const [draft] = drafts;
  const hasAgent = (counts['conversations'] ?? 0) + (counts['flows'] ?? 0) > 0;
  const calls = [
    hasAgent ? undefined : 'list_templates, then create_conversation with a templateKey.',
    draft?.kind === 'conversation'
      ? `diff_designs, then activate_conversation_version {conversationId: ${draft.id}, version: ${draft.newest}}.`
      : undefined,
    draft?.kind === 'flow'
      ? `list_flow_versions {flowId: ${draft.id}}, then activate_flow_version.`
      : undefined,
    hasAgent && numbers.length + webAgents.length === 0
      ? 'import_phone_number or create_web_agent, so that somebody can talk to it.'
      : undefined,
  ];
  return calls.filter((call) => call !== undefined);
}

function short(text: string): string {
  const characters = Array.from(text);
  return characters.length <= longestText ? text : `${characters.slice(0, longestText - 1).join('')}…`;
}
