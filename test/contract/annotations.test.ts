import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { effectOf, operationTable } from './operation-table.ts';
import { operations } from './registry.ts';

test.each(operations)('$name is destructive exactly if it changes or removes something', (operation) => {
  const row = operationTable[operation.name];
  if (!row) throw new Error(`${operation.name} has no row in test/contract/operation-table.ts`);
  const { readOnly, destructive } = operation.effect;
  const does = effectOf(row);
  expect({ readOnly, destructive }).toEqual({ readOnly: does === 'reads', destructive: does === 'changes' });
});

test('operations whose names begin with the same verb do the same, except those whose row says what they do', () => {
  const effects = Map.groupBy(
    Object.entries(operationTable).filter(([, { does }]) => does === undefined),
    ([name]) => name.split('_', 1).join(),
  );
  const mixed = [...effects].filter(([, rows]) => new Set(rows.map(([, row]) => effectOf(row))).size > 1);
  expect(mixed.map(([verb, rows]) => `${verb}: ${rows.map(([name]) => name).join(', ')}`)).toEqual([]);
});

test.each(operations)('$name says whether it reaches outside', ({ name, mcp }) => {
  expect(mcp.openWorld).toBe(operationTable[name]?.reachesOutside);
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
