import * as v from 'valibot';
import type { Line } from '../../src/design/find.ts';
import { outlineOf } from '../../src/design/outline.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { ref } from '../../src/operation/reference.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { callText } from '../../src/platform/errors.ts';
import { numberOf, VersionNumber, VersionToRead } from '../../src/resources/conversations/schema.ts';
import { DesignDocument } from '../../src/resources/designs/schema.ts';
import { loadSized } from '../../src/resources/designs/stored-design.ts';
import {
  partOf,
  partsOfDesign,
  ReadFlowDesign,
  readFlow,
  readingInputs,
  readingProblems,
} from '../../src/resources/playable/read.ts';
import { conversationOnly, ownerIn, ownerProblems } from '../../src/resources/record/design-owner.ts';
import { shortenList } from '../../src/resources/record/shorten-list.ts';
import { Timestamp } from '../../src/resources/record/timestamp.ts';
import { readFlowDesign } from './read-flow-design.ts';

/** Milliseconds for which an address holds. */
const fileLasts = 15 * 60_000;
/** Characters of JSON. */
const longestPlaces = 20_000;

export const readDesign = defineTool({
  name: 'read_design',
  title: 'Read a design',
  description:
    'Reads the design of a version of a conversation or flow: its outline (start there), some steps, the lines with a text, the texts that callers hear, or everything.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/design',
    from: { conversationId: 'path:id', version: 'path:n' },
    omitsInputs: ['flowId'],
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: VersionToRead,
    ...readingInputs,
    file: v.exactOptional(v.pipe(v.boolean(), v.description('True: a url to GET it from.'))),
  }),
  output: v.union([
    DesignDocument,
    ReadFlowDesign,
    ...partsOfDesign,
    v.strictObject({
      version: VersionNumber,
      url: v.string(),
      expiresAt: Timestamp,
      bytes: v.pipe(v.number(), v.integer()),
    }),
  ]),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  check({ file, ...input }) {
    const { steps, outline, texts, find } = input;
    const problems: InputProblem[] = [
      ...ownerProblems(input),
      ...conversationOnly(input, { file }),
      ...readingProblems(input),
    ];
    if (file && (steps || outline || texts || find !== undefined))
      problems.push({ path: ['file'], message: 'Cannot be combined with steps, outline, texts or find.' });
    return problems;
  },
  mcp: {
    covers: [readFlowDesign],
    outputSchema: false,
    resource: {
      uri: 'parley://conversations/{conversationId}/versions/{version}/design',
      name: 'conversation-version-design',
      title: 'Design of a version',
      description: 'The cd/1 design of one version of a conversation.',
      completions: { version: { tool: 'list_conversation_versions', member: 'n' } },
    },
    shorten: (answer, input) => ({ ...shortened(answer as JsonObject, input), truncated: true }),
  },
  async handler({ stores, services, caller }, { conversationId, flowId, version: chosen, file, ...parts }) {
    const owner = ownerIn({ conversationId, flowId });
    if ('flowId' in owner) return readFlow(stores, owner.flowId, chosen, parts);
    const version = await numberOf(stores, owner.conversationId, chosen);
    const { design, bytes } = await loadSized(stores, owner.conversationId, version);
    if (file) {
      const { projectId, keyId } = caller;
      const expiresAt = new Date(Date.now() + fileLasts);
      const url = services.designAddress({ projectId, keyId, ...owner, version, expiresAt });
      return { version, url, expiresAt: expiresAt.toISOString(), bytes };
    }
    const part = await partOf(stores, design, version, parts, owner);
    if (part) return part;
    // Who asks for the newest or active version learns which one that is.
    return typeof chosen === 'number' ? design : { version, design };
  },
});

/** What fits into one response of what this tool returned, and the call that reads more. */
function shortened(answer: JsonObject, input: JsonObject): JsonObject {
  if (input['find'] !== undefined)
    return {
      ...answer,
      places: shortenList((answer as { readonly places: Line[] }).places, longestPlaces),
      hint: `More lines have this text. Give a longer one, or read steps: ${readOf(input, { steps: ['…'] })}.`,
    };
  if (input['texts'] === true)
    return {
      ...answer,
      texts: Object.fromEntries(shortenList(Object.entries(answer['texts'] as object), longestPlaces)),
      hint: `There are more texts. ${readOf(input, { texts: true, steps: ['…'] })} lists those of some steps.`,
    };
  return {
    ...outlineIn(answer, input),
    hint: `The whole design is too long for one response. ${readOf(input, { steps: ['…'] })} reads some of its steps.`,
  };
}

/** The outline of what this tool returned. */
function outlineIn(answer: JsonObject, { version, outline }: JsonObject): JsonObject {
  if (outline === true) return answer;
  if (!('design' in answer)) return { version, ...outlineOf(answer as unknown as Design) };
  const { design, ...more } = answer;
  return { ...more, ...outlineOf(design as Design) };
}

/** The call that reads a part of the same version. */
function readOf({ conversationId, flowId, version }: JsonObject, part: JsonObject): string {
  return callText('read_design', { conversationId, flowId, version, ...part });
}
