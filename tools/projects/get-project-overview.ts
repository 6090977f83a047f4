import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { type Access, accesses } from '../../src/operation/access.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { callText } from '../../src/platform/errors.ts';
import { greetingWarnings } from '../../src/resources/designs/greeting.ts';
import { problemsToday } from '../../src/resources/designs/prepare.ts';
import { mapOf, referenceTo } from '../../src/resources/projects/map.ts';
import type { LiveDocument, Overview, OverviewHandler } from '../../src/resources/projects/overview.ts';
import { type PlanUse, planUse, planUseInWords } from '../../src/resources/projects/plan-limits.ts';
import { Project } from '../../src/resources/projects/schema.ts';
import { ScenarioChange } from '../../src/resources/scenarios/schema.ts';
import { InheritedRejection } from '../../src/resources/versions/version-history.ts';

const named = { id: Cuid, name: v.string() };
const version = v.pipe(v.number(), v.integer());

/** What is live, as far as it is listed and checked. */
const [mostNumbers, mostWebAgents] = [5, 3];
/** Numbers and web agents that one problem names. */
const mostInProblem = 5;
/** Characters of a name or an error. */
const longestText = 80;

/** The members that only MCP has, where names stand for ids: `ProjectMap`. */
const map = {
  numbers: v.unknown(),
  webAgents: v.unknown(),
  flows: v.unknown(),
  conversations: v.unknown(),
  agentProfiles: v.array(v.string()),
  knowledgeBases: v.array(v.string()),
  integrations: v.array(v.string()),
  notListed: v.record(v.string(), v.number()),
};

export const getProjectOverview = defineTool({
  name: 'get_project_overview',
  title: 'Get a project overview',
  description:
    'The map of a project: every record by name, as far as they fit, with versions and drafts, what answers each number, problems, and what to do next. Call it first.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/overview', omits: Object.keys(map) },
  input: v.strictObject({ projectId: ref('project') }),
  output: v.strictObject({
    project: v.strictObject({
      ...v.pick(Project, ['name', 'plan', 'status']).entries,
      requireDisclosure: v.boolean(),
      timeZone: v.string(),
    }),
    access: v.array(v.picklist(accesses)),
    limits: v.record(v.string(), v.strictObject({ limit: v.number(), used: v.exactOptional(v.number()) })),
    counts: v.record(v.string(), v.number()),
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
        scenarioChanges: v.exactOptional(
          v.array(v.strictObject(v.pick(ScenarioChange, ['name', 'change', 'by']).entries)),
        ),
        authors: v.array(v.string()),
        rejections: v.exactOptional(v.array(InheritedRejection)),
      }),
    ),
    draftCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
    ...map,
    problems: v.array(v.string()),
    next: v.array(v.string()),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    outputSchema: false,
    // The map says the same by name.
    brief: ({ counts: _, live: __, drafts: ___, draftCount: ____, project, access, limits, ...shown }) => {
      const words = planUseInWords(limits as Record<string, PlanUse>);
      return { project, access, ...(words !== '' && { limits: words }), ...shown };
    },
  },
  async handler({ stores, services, caller }) {
    const [{ name, plan, status, timeZone }, overview] = await Promise.all([
      stores.projects.settings(),
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
    const limits = planUse(plan, overview.counts);
    const shown = {
      project: { name, plan, status, requireDisclosure, timeZone },
      access: [...caller.access],
      problems: [...problemsOf(status, overview), ...failuresOf(failing, requireDisclosure)],
      next: nextIn(overview, caller.access),
    };
    return {
      ...shown,
      limits,
      counts: overview.counts,
      live,
      drafts: overview.drafts.map(({ isShared: _, name: ofDraft, rejections, ...draft }) => ({
        ...draft,
        name: short(ofDraft),
        ...scenarioChangesOf(overview, draft.id),
        ...(rejections.length > 0 && { rejections }),
      })),
      draftCount: overview.draftCount,
      ...mapOf(overview, { ...shown, limits: planUseInWords(limits) }),
    };
  },
});

type Live = Omit<OverviewHandler, 'isShared'> & { readonly at: string };

function liveIn({ numbers, webAgents }: Overview): Live[] {
  const onNumbers = numbers.flatMap(({ number, isEnabled, handler }) =>
    handler && isEnabled ? [liveAt(number, handler)] : [],
  );
  const onPages = webAgents.flatMap(({ name, isEnabled, handler }) =>
    isEnabled ? [liveAt(`web agent ${short(name)}`, handler)] : [],
  );
  return [...onNumbers.slice(0, mostNumbers), ...onPages.slice(0, mostWebAgents)];
}

function liveAt(at: string, { kind, id, name, version: active }: OverviewHandler): Live {
  return { at, kind, id, name: short(name), version: active };
}

function problemsOf(status: string, overview: Overview): string[] {
  const { numbers, webAgents, withoutScenarios, failedSources, deniedIntegrations } = overview;
  const { reachedLimits, unboundSecrets } = overview;
  const open = numbers.filter(({ isEnabled, handler }) => isEnabled && !handler);
  const disabled = [
    ...numbers.filter(({ isEnabled }) => !isEnabled).map(({ number }) => number),
    ...webAgents.filter(({ isEnabled }) => !isEnabled).map(({ name }) => `web agent ${short(name)}`),
  ];
  return [
    ...(status === 'active' ? [] : [`The project is ${status}.`]),
    ...(open.length > 0
      ? [`Without a handler: ${some(open.map(({ number }) => number))}. assign_flow or assign_conversation.`]
      : []),
    ...overview.drafts.flatMap(rejectionInWords).slice(0, mostInProblem),
    ...overview.liveRejected.flatMap(({ name, version, rejections }) =>
      rejections
        .slice(0, 1)
        .map((one) => `v${version} of ${short(name)}, which is live, ${heldInWords(one)}`),
    ),
    ...(disabled.length > 0 ? [`Disabled: ${some(disabled)}.`] : []),
    ...changedScenarios(overview),
    ...withoutScenarios.map(
      ({ name }) => `${short(name)} requires its scenarios and has none, so every version can go live.`,
    ),
    ...failedSources.map(({ name, error }) => `The source ${short(name)} failed: ${short(error)}`),
    ...deniedIntegrations.map(
      ({ name, status: is }) => `The integration ${short(name)} has the status ${is}.`,
    ),
    ...reachedLimits.map(
      ({ limit, sessions }) =>
        `${sessions} ${sessions === 1 ? 'session' : 'sessions'} of the last 24 hours reached the limit "${limit}". get_session shows the notes.`,
    ),
    ...unboundSecrets.map(
      ({ name }) =>
        `The secret ${short(name)} is bound to no host, so only versions that are live send it. validate_design names the hosts, set_secret {name, hosts} binds it.`,
    ),
  ];
}

/** What has become of the scenarios that a draft of a conversation has to pass; nothing if they are as they were. */
function scenarioChangesOf({ scenarioChanges }: Overview, id: string) {
  const ofDraft = scenarioChanges.filter(({ conversationId }) => conversationId === id);
  if (ofDraft.length === 0) return {};
  return { scenarioChanges: ofDraft.map(({ name, change, by }) => ({ name: short(name), change, by })) };
}

/** Whose draft is judged by scenarios that are not what they were, in words. */
function changedScenarios(overview: Overview): string[] {
  return overview.drafts
    .flatMap((draft) => {
      const { scenarioChanges = [] } = scenarioChangesOf(overview, draft.id);
      if (scenarioChanges.length === 0) return [];
      const words = scenarioChanges.map(({ name, change, by }) =>
        [change, JSON.stringify(name), ...(by === null ? [] : [`(${short(by)})`])].join(' '),
      );
      return [
        `The scenarios that draft v${draft.newest} of ${short(draft.name)} has to pass are not those of v${draft.active}: ${some(words)}. list_scenarios.`,
      ];
    })
    .slice(0, mostInProblem);
}

/** What a person rejected that concerns a draft, and who has made the draft. What keeps it from going live is first. */
function rejectionInWords({ name, newest, authors, rejections }: Overview['drafts'][number]): string[] {
  const first = rejections.find(({ blocks }) => blocks) ?? rejections[0];
  if (!first) return [];
  const made = authors.length > 0 ? ` (made by ${some(authors.map(short))})` : '';
  return [`Draft v${newest} of ${short(name)}${made} ${heldInWords(first)}`];
}

/** Such as `holds what Anna rejected in v2: The number is wrong.` */
function heldInWords({
  by,
  reason,
  version,
  places,
  changes = [],
  of,
}: Overview['drafts'][number]['rejections'][number]): string {
  const who = by === null ? 'a person' : short(by);
  const where = of ? ` of ${short(of.name)}` : '';
  const why = reason === null ? '.' : `: ${short(reason)}`;
  const isReworded = changes.length > 0 && changes.every(({ rejected, now }) => rejected !== now);
  return places.length > 0
    ? `${isReworded ? 'rewords' : 'holds'} what ${who} rejected in v${version}${where}${why}`
    : `was made after ${who} rejected v${version}${why} It holds none of that.`;
}

/** The first texts of a list, and how many more there are. */
function some(texts: readonly string[]): string {
  const first = texts.slice(0, mostInProblem);
  const more = texts.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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

/** At most three calls that would help now, of those that the key may make. */
function nextIn({ counts, drafts, numbers, webAgents }: Overview, access: ReadonlySet<Access>): string[] {
  const draft = drafts.find(({ rejections }) => !rejections.some(({ blocks }) => blocks));
  const hasAgent = (counts['conversations'] ?? 0) + (counts['flows'] ?? 0) > 0;
  const isHeard = numbers.length + webAgents.length > 0;
  const calls = [
    !hasAgent && access.has('draft') && 'list_templates, then create_conversation with a templateKey.',
    draft && nextOf(draft, access.has('publish')),
    hasAgent &&
      !isHeard &&
      access.has('publish') &&
      'import_phone_number or create_web_agent, so that somebody can talk to it.',
  ];
  return calls.filter((call) => typeof call === 'string');
}

/** What to do with a draft; undefined for the draft of a flow that the key may not publish. */
function nextOf(draft: Overview['drafts'][number], mayPublish: boolean): string | undefined {
  const [record, version] = [referenceTo(draft), draft.newest];
  if (draft.kind === 'flow')
    return mayPublish
      ? `${callText('activate_flow_version', { flowId: record, version })} puts the draft live.`
      : undefined;
  return mayPublish
    ? `diff_designs, then ${callText('activate_conversation_version', { conversationId: record, version })}.`
    : `${callText('diff_designs', { conversationId: record, version })} shows the draft, which this key may not activate.`;
}

function short(text: string): string {
  const characters = Array.from(text);
  return characters.length <= longestText ? text : `${characters.slice(0, longestText - 1).join('')}…`;
}
