import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { defineTool } from '../../../../src/environment/define-tool.ts';
import { Bytes, EventStream } from '../../../../src/operation/result.ts';
import { ToolError } from '../../../../src/platform/errors.ts';
import { wav } from '../../../helpers/wav.ts';

/** A red pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

const common = {
  input: v.strictObject({}),
  output: v.strictObject({ text: v.string() }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
} as const;

/** A tool that returns bytes of a content type. */
const bytesTool = (name: string, contentType: string, bytes: Buffer) =>
  defineTool({
    ...common,
    name,
    title: name,
    description: `Returns ${contentType}.`,
    rest: { method: 'GET', path: `/v1/conformance/${name}` as const },
    results: ['bytes'],
    async handler() {
      async function* body() {
        yield bytes;
      }
      return new Bytes(contentType, body(), bytes.length);
    },
  });

async function* halfAndWhole() {
  for (const percent of [0, 50, 100]) {
    yield { percent };
    await pause(20);
  }
  return { text: 'done' };
}

/** A tool that takes about a second, so that a client that takes tasks gets one. */
const slowTool = (name: string, text: (input: Readonly<Record<string, unknown>>) => string) =>
  defineTool({
    ...common,
    name,
    title: name,
    description: 'Takes its time.',
    rest: { method: 'GET', path: `/v1/conformance/${name}` as const },
    input: v.strictObject({
      seconds: v.optional(v.number(), 1),
      label: v.optional(v.string(), ''),
      filename: v.optional(v.string(), ''),
    }),
    mcp: { mayBecomeTask: true },
    async handler({ signal }, input) {
      await pause(input.seconds * 1_000, undefined, { signal });
      return { text: text(input) };
    },
  });

/** The tools of the conformance suite that the product's code can define, run and publish. */
export const fixtureTools = {
  conformance: [
    defineTool({
      ...common,
      name: 'test_simple_text',
      title: 'Simple text',
      description: 'Returns a simple text.',
      rest: { method: 'GET', path: '/v1/conformance/text' },
      handler: async () => ({ text: 'This is a simple text response for testing.' }),
    }),
    slowTool('slow_compute', ({ label }) => `Computed ${String(label)}.`),
    slowTool('failing_job', () => {
      throw new ToolError('in_use', 'This job always fails.');
    }),
    // No task of the product asks its client for anything.
    slowTool('confirm_delete', () => 'Deleted.'),
    // More than a task can keep.
    slowTool('protocol_error_job', () => 'x'.repeat(2_000_000)),
    bytesTool('test_image_content', 'image/png', png),
    bytesTool('test_audio_content', 'audio/wav', wav()),
    bytesTool('test_embedded_resource', 'text/plain', Buffer.from('An embedded resource.')),
    defineTool({
      ...common,
      name: 'test_error_handling',
      title: 'Error',
      description: 'Always fails.',
      rest: { method: 'GET', path: '/v1/conformance/error' },
      errors: { 409: ['in_use'] },
      async handler() {
        throw new ToolError('in_use', 'This tool intentionally returns an error for testing');
      },
    }),
    defineTool({
      ...common,
      name: 'test_tool_with_progress',
      title: 'Progress',
      description: 'Reports progress.',
      rest: { method: 'GET', path: '/v1/conformance/progress' },
      results: ['events'],
      mcp: { progressMessage: ({ percent }) => `${Number(percent)} %` },
      handler: async () => new EventStream(halfAndWhole()),
    }),
  ],
};
