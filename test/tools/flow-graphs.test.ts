import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuesOf, openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
});
afterAll(() => world.close());

const pathsOf = async (flowSchema: unknown) =>
  (await issuesOf(project, 'graph', flowSchema)).map(({ path }) => path);

test('accepts {}, empty lists, and edges between existing nodes', async () => {
  const nodes = [{ id: 'a' }, { id: 'b' }];
  for (const flowSchema of [
    {},
    { nodes: [], edges: [] },
    { nodes, edges: [{ id: 'e', from: 'a', to: 'b' }], entry: 'a' },
    { nodes, edges: [{ id: 'a' }, { id: 'b', from: 'a' }, { id: 'c', to: 'a' }] },
    { nodes: [{ id: 'toString' }], entry: 'toString' },
  ])
    expect(await issuesOf(project, 'graph', flowSchema)).toStrictEqual([]);
});

test('keeps unknown members at every level', async () => {
  const flowSchema = {
    title: 'x',
    nodes: [{ id: 'a', position: { x: 1 }, constructor: 'c' }],
    edges: [{ id: 'e', from: 'a', to: 'a', label: null }],
    constructor: { prototype: [] },
  };
  const id = await project.newFlow({ type: 'graph', flowSchema });
  const { body } = await project.call('GET', `/v1/flows/${id}/versions`);
  expect(JSON.stringify(body.versions[0].flowSchema)).toBe(JSON.stringify(flowSchema));
});

test.each([
  [{ nodes: {} }, ['/nodes']],
  [{ nodes: null }, ['/nodes']],
  [{ edges: 'e' }, ['/edges']],
  [{ entry: 1 }, ['/entry']],
  [{ entry: null }, ['/entry']],
  [{ entry: 'a' }, ['/entry']],
  [{ nodes: [{ id: 'a' }], entry: 'b' }, ['/entry']],
  [{ nodes: [{}] }, ['/nodes/0/id']],
  [{ nodes: [{ id: 7 }] }, ['/nodes/0/id']],
  [{ nodes: [{ id: '' }] }, ['/nodes/0/id']],
  [{ nodes: ['a'] }, ['/nodes/0']],
  [{ nodes: [{ id: 'a' }, null] }, ['/nodes/1']],
  [{ nodes: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }, ['/nodes/2/id']],
  [{ nodes: [{ id: 'a' }], edges: [{ id: 'e' }, { id: 'e' }] }, ['/edges/1/id']],
  [{ edges: [{ from: 'a' }] }, ['/edges/0/from', '/edges/0/id']],
  [{ nodes: [{ id: 'a' }], edges: [{ id: 'e', from: 'x', to: 'y' }] }, ['/edges/0/from', '/edges/0/to']],
  [{ edges: [{ id: 'e', from: null, to: 3 }] }, ['/edges/0/from', '/edges/0/to']],
  [{ entry: 'toString', nodes: [] }, ['/entry']],
])('rejects %j', async (flowSchema, paths) => {
  expect((await pathsOf(flowSchema)).toSorted()).toStrictEqual(paths);
});

test('rejects a list in place of a node or an edge', async () => {
  expect((await pathsOf({ nodes: [[]], edges: [['a']] })).toSorted()).toStrictEqual(['/edges/0', '/nodes/0']);
});

test('reports all problems at once', async () => {
  const flowSchema = {
    entry: 'nowhere',
    nodes: [{ id: 'a' }, { id: 'a' }, { id: 5 }, 'x'],
    edges: [{ id: 'e', from: 'a', to: 'b' }, { id: 'e' }, {}],
  };
  expect((await pathsOf(flowSchema)).toSorted()).toStrictEqual([
    '/edges/0/to',
    '/edges/1/id',
    '/edges/2/id',
    '/entry',
    '/nodes/1/id',
    '/nodes/2/id',
    '/nodes/3',
  ]);
});
