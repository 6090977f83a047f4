import type { ListedTool, Listing } from './listing.ts';

/** Each line is shown if the client sees all tools that it names. */
const advice: readonly string[] = [
  'Give names in place of ids, as the person says them, without a look-up. A key has one project, so no tool needs its id. version is a number, newest or active.',
  'get_project_overview maps the project, if you do not know what there is. A result says what was done: check no more.',
  'A new version is a draft: callers meet it with activate: true, or after activate_flow_version or activate_conversation_version. To undo, activate the older version, or restore_version as a draft.',
  'To change a flow: edit_flow with the change alone; get_flow_version shows the whole configuration.',
  'To make a conversation: list_templates, then create_conversation with templateKey.',
  'To understand a conversation: read_design (outline first, then steps); prove_design shows whether every call ends and discloses the AI; draw_design draws it.',
  'To change one: edit_design with the change alone; diff_designs and prove_design show what it does. onConflict merge keeps what others wrote meanwhile.',
  'To try one, a new design or an edit: simulate_conversation plays a call with a script, and stores nothing.',
  'To keep what must not break: save_scenarios (proposed derives them from the design), then run_scenarios on each change.',
  'describe_design shows the format of designs; validate_design reports every problem, with a hint.',
  'Secrets of a design: set_secret, then {{secret.NAME}} in it.',
  'A file or recording: create_upload, PUT its bytes to the url, then give uploadId; base64 fills your window.',
  'Deleting moves to the trash: list_trash, restore_deleted.',
];

const adviceWithNames = advice.map((text) => ({
  text,
  names: toolNamesIn(text),
}));

/** The words of a text that have the form of a tool's name. */
export function toolNamesIn(text: string): readonly string[] {
  return text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
}

/** The text that a client gets before its first call. It names only tools that the client sees. */
export function instructionsFor(listing: Listing, visible: readonly ListedTool[]): string {
  if (visible.length === 0) return 'Parley manages voice and chat agents. This key can call no tool.';
  const seen = new Set(visible.map(({ name }) => name));
  const fitting = adviceWithNames.filter(({ names }) => names.every((name) => seen.has(name)));
  const toolsets = Object.entries(listing)
    .filter(([, tools]) => tools.some(({ name }) => seen.has(name)))
    .map(([name]) => name);
  return [
    'Parley manages voice and chat agents: flows and conversations with their versions, and what belongs to a project.',
    ...limitsOf(visible),
    ...fitting.map(({ text }) => text),
    'An error names every problem in error.details.issues, and a hint says what to call next.',
    `If your host loads tools on demand, search for these toolsets: ${toolsets.join(', ')}.`,
  ].join('\n');
}

/** What the listed tools cannot do, so that an agent does not look for a way. */
function limitsOf(visible: readonly ListedTool[]): string[] {
  const may = (access: string) => visible.some((tool) => tool.access === access);
  if (may('publish')) return [];
  if (may('draft'))
    return ['These tools draft and change nothing that callers meet: somebody else puts drafts live.'];
  if (may('admin')) return [];
  return ['These tools change nothing in the project: do not promise changes.'];
}
