/**
 * Definitions that the compiler refuses. This file is only type-checked: a line that stops being an error fails
 * the check as an unused directive. Each call is on one line, the one after its directive.
 */
import * as v from 'valibot';
import { defineTool as tool } from '../src/environment/define-tool.ts';
import { ref } from '../src/operation/reference.ts';
import { Bytes, EventStream, Relay } from '../src/operation/result.ts';

const named = { name: 'try_it', title: 'Try it', description: 'Is tried.' };
const input = v.strictObject({ flow: ref('flow'), name: v.string() });
const output = v.strictObject({ done: v.boolean() });
const reads = { readOnly: true, destructive: false, idempotent: true } as const;
const writes = { readOnly: false, destructive: false, idempotent: false } as const;
const handler = async () => ({ done: true });
const read = { ...named, input, output, access: 'read', effect: reads, handler } as const;
const write = { ...named, input, output, access: 'draft', effect: writes, handler } as const;

// Correct definitions compile; a name in the path may differ from the input's.
tool({ ...read, rest: { method: 'GET', path: '/{flow}' } });
tool({ ...read, rest: { method: 'POST', path: '/{flow}' } });
tool({ ...write, rest: { method: 'POST', path: '/{flow}', from: { name: 'query' }, status: 201 } });
tool({ ...write, rest: { method: 'PATCH', path: '/{id}', from: { flow: 'path:id' } } });
tool({ ...write, rest: { method: 'DELETE', path: '/{flow}' } });

// A name in the path that no input takes.
// @ts-expect-error
tool({ ...read, rest: { method: 'GET', path: '/{id}/{flow}' } });
// @ts-expect-error
tool({ ...read, rest: { method: 'GET', path: '/{id}/{flow}', from: { flow: 'path:id' } } });
// @ts-expect-error
tool({ ...write, rest: { method: 'POST', path: '/{flow}', from: { flow: 'query' } } });

// A path placement of a name that the path does not have.
// @ts-expect-error
tool({ ...read, rest: { method: 'GET', path: '/{id}', from: { flow: 'path:flow' } } });

// A query where it is implied, and an unknown place.
// @ts-expect-error
tool({ ...read, rest: { method: 'GET', path: '/{flow}', from: { name: 'query' } } });
// @ts-expect-error
tool({ ...write, rest: { method: 'POST', path: '/{flow}', from: { name: 'header' } } });

// Browsers on a path with parameters.
const open = { ...write, special: { browsers: true } } as const;
tool({ ...open, rest: { method: 'POST', path: '/try' } });
// @ts-expect-error
tool({ ...open, rest: { method: 'POST', path: '/{flow}' } });

// A path that does not start at the root, an unknown method.
// @ts-expect-error
tool({ ...read, rest: { method: 'GET', path: '{flow}' } });
// @ts-expect-error
tool({ ...read, rest: { method: 'HEAD', path: '/{flow}' } });

const get = { method: 'GET', path: '/{flow}' } as const;
const post = { method: 'POST', path: '/{flow}' } as const;

// A name that is not an input.
// @ts-expect-error
tool({ ...write, rest: { ...post, from: { other: 'query' } } });

// An unknown status.
// @ts-expect-error
tool({ ...write, rest: { ...post, status: 204 } });

// A GET that writes.
// @ts-expect-error
tool({ ...named, rest: get, input, output, access: 'draft', effect: writes, handler });

// Forgotten: access, effect, output, handler.
// @ts-expect-error
tool({ ...named, rest: post, input, output, effect: writes, handler });
// @ts-expect-error
tool({ ...named, rest: post, input, output, access: 'draft', handler });
// @ts-expect-error
tool({ ...named, rest: post, input, access: 'draft', effect: writes, handler });
// @ts-expect-error
tool({ ...named, rest: post, input, output, access: 'draft', effect: writes });

// An unknown access; an effect that contradicts itself or leaves something out.
// @ts-expect-error
tool({ ...write, rest: post, access: 'write' });
// @ts-expect-error
tool({ ...write, rest: post, effect: { readOnly: true, destructive: true, idempotent: true } });
// @ts-expect-error
tool({ ...write, rest: post, effect: { ...reads, transaction: 'write' } });
// @ts-expect-error
tool({ ...write, rest: post, effect: { ...writes, transaction: 'read' } });
// @ts-expect-error
tool({ ...write, rest: post, effect: { readOnly: false, destructive: false } });

// An input schema that silently drops unknown members.
// @ts-expect-error
tool({ ...write, rest: post, input: v.object({ flow: ref('flow'), name: v.string() }) });

// A result of another type, with a missing member, or that is not a promise.
// @ts-expect-error
tool({ ...write, rest: post, handler: async () => ({ done: 'yes' }) });
// @ts-expect-error
tool({ ...write, rest: post, handler: async () => ({}) });
// @ts-expect-error
tool({ ...write, rest: post, handler: () => ({ done: true }) });

// An unknown input, or one of another type.
// @ts-expect-error
tool({ ...write, rest: post, handler: async (_, { other }) => ({ done: other === 1 }) });
// @ts-expect-error
tool({ ...write, rest: post, handler: async (_, { name }) => ({ done: name === 1 }) });

async function* events() {
  yield { n: 1 };
  return { done: true };
}
async function* bytes() {
  yield Uint8Array.of(1);
}
const own = { ...write, rest: post, effect: { ...writes, transaction: 'own' } } as const;

// A kind of result, announced or not, and with a value of another type.
tool({ ...own, results: ['events'], handler: async () => new EventStream(events()) });
tool({ ...own, results: ['bytes'], handler: async () => new Bytes('a/b', bytes()) });
tool({ ...own, results: ['relay'], handler: async () => new Relay('a/b', bytes(), () => ({ done: true })) });
// @ts-expect-error
tool({ ...own, handler: async () => new EventStream(events()) });
// @ts-expect-error
tool({ ...own, results: ['bytes'], handler: async () => new EventStream(events()) });
// @ts-expect-error
tool({ ...own, results: ['relay'], handler: async () => new Relay('a/b', bytes(), () => 1) });
// @ts-expect-error
tool({ ...own, results: ['file'], handler });

// The context of a handler: caller and stores with access, a write with a transaction of its own.
tool({ ...own, handler: ({ write: change }) => change(handler) });
tool({ ...read, rest: get, handler: async ({ caller, stores }) => ({ done: !caller && !stores }) });
// @ts-expect-error
tool({ ...write, rest: post, handler: ({ write: change }) => change(handler) });
// @ts-expect-error
tool({ ...read, rest: get, access: 'none', handler: async ({ caller }) => ({ done: !caller }) });
// @ts-expect-error
tool({ ...read, rest: get, access: 'none', handler: async ({ stores }) => ({ done: !stores }) });

// A rule across inputs without a place, and one about an unknown input.
// @ts-expect-error
tool({ ...write, rest: post, check: () => [{ path: [], message: 'No place.' }] });
// @ts-expect-error
tool({ ...write, rest: post, check: ({ other }) => [{ path: ['name'], message: String(other) }] });

// A reference to an unknown kind of record.
// @ts-expect-error
ref('nonsense');
