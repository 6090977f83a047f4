import * as v from 'valibot';
import { type Line, linesWith } from '../../src/design/find.ts';
import { DesignOutline, outlineOf } from '../../src/design/outline.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { idMap } from '../../src/design/schema/values.ts';
import { signingNames } from '../../src/design/signing.ts';
import { spokenTexts, tableOf } from '../../src/design/spoken-texts.ts';
import { segmentsOf } from '../../src/design/value.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { ref } from '../../src/operation/reference.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { callText, ToolError } from '../../src/platform/errors.ts';
import { numberOf, VersionNumber, VersionToRead } from '../../src/resources/conversations/schema.ts';
import { DesignDocument } from '../../src/resources/designs/schema.ts';
import { loadSized } from '../../src/resources/designs/stored-design.ts';
import { shortenList } from '../../src/resources/record/shorten-list.ts';
import { Timestamp } from '../../src/resources/record/timestamp.ts';
import { SearchText } from '../../src/resources/search/schema.ts';

const maximumSteps = 250;
/** Milliseconds for which an address holds. */
const fileLasts = 15 * 60_000;
/** Characters of JSON. */
const longestPlaces = 20_000;

export const readDesign = defineTool({
  name: 'read_design',
  title: 'Read a design',
  description:
    'Reads the design of a version: its outline (start there), some steps, the lines with a text, the texts that callers hear, or everything.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/design',
    from: { conversationId: 'path:id', version: 'path:n' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: VersionToRead,
    steps: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1),
        v.maxLength(maximumSteps),
        v.description('Only these steps, by id.'),
      ),
    ),
    outline: v.exactOptional(v.pipe(v.boolean(), v.description('True: ids, kinds, exits and sizes only.'))),
    texts: v.exactOptional(v.pipe(v.boolean(), v.description('True: what callers hear, by pointer.'))),
    file: v.exactOptional(v.pipe(v.boolean(), v.description('True: a url to GET it from.'))),
    find: v.exactOptional(v.pipe(SearchText, v.description('Only the lines with this text.'))),
  }),
  output: v.union([
    DesignDocument,
    v.strictObject({ version: VersionNumber, design: DesignDocument }),
    v.strictObject({ version: VersionNumber, steps: idMap(v.unknown()) }),
    v.strictObject({ version: VersionNumber, ...DesignOutline.entries }),
    v.strictObject({
      version: VersionNumber,
      url: v.string(),
      expiresAt: Timestamp,
      bytes: v.pipe(v.number(), v.integer()),
    }),
    v.strictObject({
      version: VersionNumber,
      count: v.pipe(v.number(), v.integer(), v.minValue(0)),
      texts: idMap(v.string()),
    }),
    v.strictObject({
      version: VersionNumber,
      places: v.array(v.strictObject({ pointer: v.string(), text: v.string() })),
    }),
  ]),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  check({ steps, outline, find, texts, file }) {
    const problems: InputProblem[] = [];
    if (file && (steps || outline || texts || find !== undefined))
      problems.push({ path: ['file'], message: 'Cannot be combined with steps, outline, texts or find.' });
    if (texts && (outline || find !== undefined))
      problems.push({ path: ['texts'], message: 'Cannot be combined with outline or find.' });
    if (steps && outline) problems.push({ path: ['outline'], message: 'Cannot be combined with steps.' });
    if (find !== undefined && (steps || outline))
      problems.push({ path: ['find'], message: 'Cannot be combined with steps or outline.' });
    return problems;
  },
  mcp: {
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
  async handler(
    { stores, services, caller },
    { conversationId, version: chosen, steps, outline, find, texts, file },
  ) {
    const version = await numberOf(stores, conversationId, chosen);
    const { design, bytes } = await loadSized(stores, conversationId, version);
    if (file) {
      const { projectId, keyId } = caller;
      const expiresAt = new Date(Date.now() + fileLasts);
      const url = services.designAddress({ projectId, keyId, conversationId, version, expiresAt });
      return { version, url, expiresAt: expiresAt.toISOString(), bytes };
    }
    if (find !== undefined) return { version, places: linesWith(design, find.trim()) };
    if (outline) {
      const signing = signingNames(design);
      const secrets = signing.length > 0 ? await stores.secrets.existing(signing) : undefined;
      return { version, ...outlineOf(design, secrets) };
    }
    const chosenSteps =
      steps && selectedSteps(design, steps, readOf({ conversationId, version }, { outline: true }));
    if (texts) {
      const lines = chosenSteps ? textsOfSteps(design, chosenSteps) : spokenTexts(design);
      return { version, count: lines.length, texts: tableOf(lines) };
    }
    if (chosenSteps) return { version, steps: chosenSteps };
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

/** The texts of some steps that callers hear. */
function textsOfSteps(design: Design, steps: Design['steps']): Line[] {
  return spokenTexts(design).filter(({ pointer }) => {
    const [part, stepId = ''] = segmentsOf(pointer);
    return part === 'steps' && Object.hasOwn(steps, stepId);
  });
}

/** The outline of what this tool returned. */
function outlineIn(answer: JsonObject, { version, outline }: JsonObject): JsonObject {
  if (outline === true) return answer;
  return 'design' in answer
    ? { version: answer['version'], ...outlineOf(answer['design'] as Design) }
    : { version, ...outlineOf(answer as unknown as Design) };
}

/** The call that reads a part of the same version. */
function readOf({ conversationId, version }: JsonObject, part: JsonObject): string {
  return callText('read_design', { conversationId, version, ...part });
}

function selectedSteps(design: Design, stepIds: readonly string[], outline: string): Design['steps'] {
  return Object.fromEntries(
    stepIds.map((stepId) => {
      const step = Object.hasOwn(design.steps, stepId) ? design.steps[stepId] : undefined;
      if (!step)
        throw new ToolError('not_found', `There is no step ${JSON.stringify(stepId)} in this version.`, {
          hint: `${outline} shows the step ids.`,
        });
      return [stepId, step];
    }),
  );
}
