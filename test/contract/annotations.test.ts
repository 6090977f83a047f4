import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tools } from './registry.ts';

/**
 * What the verb of an operation does to what is stored. `adds`: everything that callers and others met before stays as
 * it was. `changes`: it replaces or removes something, so a host may ask the user first.
 */
const verbs: Readonly<Record<string, 'reads' | 'adds' | 'changes'>> = {
  get: 'reads',
  list: 'reads',
  describe: 'reads',
  read: 'reads',
  validate: 'reads',
  diff: 'reads',
  draw: 'reads',
  prove: 'reads',
  query: 'reads',
  propose: 'reads',
  search: 'reads',
  create: 'adds',
  mint: 'adds',
  write: 'adds',
  edit: 'adds',
  import: 'adds',
  run: 'adds',
  clone: 'adds',
  add: 'adds',
  reindex: 'adds',
  restore: 'adds',
  simulate: 'reads',
  update: 'changes',
  replace: 'changes',
  activate: 'changes',
  assign: 'changes',
  set: 'changes',
  save: 'changes',
  delete: 'changes',
  revoke: 'changes',
  reject: 'changes',
};

/** Operations that do more than their verb says. */
const exceptions: typeof verbs = {
  // Takes flows from other profiles, and the default from another one.
  create_agent_profile: 'changes',
  // With activate, callers meet another version.
  edit_flow: 'changes',
  edit_design: 'changes',
  create_flow_version: 'changes',
  restore_version: 'changes',
  restore_flow_version: 'changes',
  // Sends messages, and writes to a CRM.
  simulate_live: 'changes',
};

/** Operations that reach a model or a website, at least if one is configured. */
const outside: ReadonlySet<string> = new Set([
  'create_chat_completion',
  'create_speech',
  'create_transcription',
  // A model embeds the question.
  'query_knowledge',
  // Fetches websites.
  'add_knowledge_source',
  'reindex_knowledge_source',
  'restore_deleted',
  // A model confirms that new lines disclose the AI.
  'create_conversation',
  'validate_design',
  'write_design',
  'edit_design',
  'restore_version',
  'restore_flow_version',
  // A model reads the turns, and may play the caller.
  'simulate_conversation',
  // A model embeds the questions of a run.
  'draw_design',
  // Sends the requests of a design.
  'simulate_live',
  'save_scenarios',
  'run_scenarios',
]);

test.each(tools)('$name is destructive exactly if it changes or removes something', ({ name, effect }) => {
  const [verb = ''] = name.split('_');
  const does = exceptions[name] ?? verbs[verb];
  expect(does, `say in test/contract/annotations.test.ts what ${verb} does`).toBeDefined();
  expect({ readOnly: effect.readOnly, destructive: effect.destructive }).toEqual({
    readOnly: does === 'reads',
    destructive: does === 'changes',
  });
});

test.each(tools)('$name says whether it reaches outside', ({ name, mcp }) => {
  expect(mcp.openWorld ?? false).toBe(outside.has(name));
});

test('every operation that calls a model says that it reaches outside', () => {
  const folder = path.resolve(import.meta.dirname, '../../tools');
  const calls = /\b(?:confirmDisclosures?|embedQuestion|completeChat|promptModel|speak|transcribe)\b/;
  const silent = globSync('*/*.ts', { cwd: folder }).filter((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8');
    return calls.test(source) && !source.includes('openWorld: true');
  });
  expect(silent).toEqual([]);
});
