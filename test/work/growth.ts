import type { CallWork } from './workshop.ts';

/** The operations whose work grows with the records of the project, and why. */
export const growing: Readonly<Record<string, string>> = {
  get_project_overview: 'It counts the records of each kind.',
  search_project: 'It reads the texts of all records (ADR 14).',
  prove_live_designs:
    'It lists every live design, because those that callers reach come first. It proves at most 200.',
  delete_voice:
    'It looks for the voice in each agent profile, because an index would cost each change of a profile.',
  undo_changes:
    'It looks through the changes of the hour before, because the clocks that made their ids may differ by so much.',
};

const defaults =
  'It takes the default from another profile, and reads the newest 20 rejections of the project.';
const rejections = 'It reads the newest 20 rejections of the project.';

/** The operations whose work is more with 1,000 records than with one, and not more with 50,000; and why. */
export const bounded: Readonly<Record<string, string>> = {
  list_voices: 'It has no pages in the contract; the plan limits voices to 1,000.',
  create_agent_profile: defaults,
  replace_agent_profile: defaults,
  update_agent_profile: rejections,
  create_flow: rejections,
  update_flow: rejections,
  edit_flow: rejections,
  create_flow_version: rejections,
  activate_flow_version: rejections,
  create_conversation: rejections,
  copy_conversation: rejections,
  activate_conversation_version: rejections,
  restore_version: rejections,
  restore_flow_version: rejections,
  write_design: rejections,
  edit_design: rejections,
  import_phone_number: rejections,
  assign_flow: rejections,
  assign_conversation: rejections,
  create_web_agent: rejections,
  update_web_agent: rejections,
  restore_deleted: rejections,
};

/**
 * By how much a figure may grow and still not count as growth: to this many times the smaller one, and a few. An index of
 * 50,000 entries has one level more than one of a page, and Postgres may read a table of 1,000 rows instead of its index.
 * What grows with the records grows far more: 50,000 rows fill 400 pages or more.
 */
const allowed: Readonly<Record<keyof CallWork, { readonly times: number; readonly more: number }>> = {
  statements: { times: 1, more: 0 },
  rows: { times: 1, more: 0 },
  'round trips': { times: 1, more: 1 },
  buffers: { times: 2, more: 96 },
  WAL: { times: 1.1, more: 2_000 },
  sent: { times: 1.1, more: 500 },
  received: { times: 1.1, more: 500 },
  response: { times: 1.1, more: 500 },
};

/** Returns what grew from a small project to a large one, such as `buffers 42 → 380`. */
export function growthOf(small: CallWork | undefined, large: CallWork): readonly string[] {
  if (!small) return ['not measured before'];
  const titles = Object.keys(allowed) as (keyof CallWork)[];
  return titles
    .filter((title) => large[title] > allowed[title].times * small[title] + allowed[title].more)
    .map((title) => `${title} ${small[title]} → ${large[title]}`);
}
