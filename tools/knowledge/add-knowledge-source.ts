import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { fileText } from '../../src/operation/file-text.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { KnowledgeSource, lockKnowledgeBase } from '../../src/resources/knowledge/schema.ts';
import {
  indexingProgress,
  indexingState,
  settledSource,
} from '../../src/resources/knowledge/settled-source.ts';
import { fileProblems, mimeTypeOfFile, readContent } from '../../src/resources/knowledge/source-file.ts';
import type { SourceOrigin } from '../../src/resources/knowledge/source-store.ts';
import { urlProblem } from '../../src/resources/knowledge/website-url.ts';
import { queueUpload } from '../../src/resources/uploads/upload-queue.ts';
import { UploadId, useUpload } from '../../src/resources/uploads/uploads.ts';

/** The default of `maxPages`. */
const usualPages = 50;

const AddKnowledgeSource = v.strictObject({
  knowledgeBaseId: ref('knowledgeBase'),
  type: v.pipe(
    v.picklist(['website', 'file']),
    v.description('website needs url; file needs fileName, mimeType and its content.'),
  ),
  name: v.pipe(v.string(), v.minLength(1), v.maxCodePoints(10_000), v.description('Shown with passages.')),
  url: v.optional(
    v.pipe(v.string(), v.maxCodePoints(2000), v.description('Start page; the pages below it are read too.')),
  ),
  maxPages: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(1000),
      v.description(`Most pages of a website; default ${usualPages}.`),
    ),
  ),
  fileName: v.optional(
    v.pipe(v.string(), v.minLength(1), v.maxCodePoints(1000), v.description('Such as manual.pdf.')),
  ),
  mimeType: v.optional(
    v.pipe(v.string(), v.maxCodePoints(255), v.description('Of text, Markdown, HTML, CSV, PDF or DOCX.')),
  ),
  content: v.optional(v.pipe(fileText('text'), v.description('A file of text, as it is.'))),
  contentBase64: v.optional(v.pipe(fileText('base64'), v.description('At most 25 MiB.'))),
  uploadId: v.optional(UploadId),
  indexing: v.optional(
    v.pipe(
      v.picklist(['triggered', 'deferred']),
      v.description('deferred waits for reindex_knowledge_source.'),
    ),
    'triggered',
  ),
});

type Input = v.InferOutput<typeof AddKnowledgeSource>;

export const addKnowledgeSource = defineTool({
  name: 'add_knowledge_source',
  title: 'Add a knowledge source',
  description:
    'Adds a website or a file to a knowledge base and indexes it: a short file at once, else in the background (get_knowledge_source).',
  rest: {
    method: 'POST',
    path: '/v1/knowledge/{kbId}/sources',
    from: { knowledgeBaseId: 'path:kbId' },
    status: 201,
  },
  input: AddKnowledgeSource,
  output: KnowledgeSource,
  access: 'publish',
  // The handler decodes and encrypts the file before it takes a connection.
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  bodyLimit: 35_651_584,
  special: { form: { content: 'contentBase64', fileName: 'fileName', mimeType: 'mimeType' } },
  mcp: {
    openWorld: true,
    progressMessage: indexingProgress,
    settle: async (added, _, context) => {
      const source = await settledSource(String(added['id']), context);
      return source ? { ...source } : added;
    },
    async background({ id }, stores) {
      const run = await stores.knowledgeSources.run(String(id));
      return indexingState(found(run?.source, 'knowledgeSource', String(id)));
    },
  },
  check: (input) => [...websiteProblems(input), ...fileProblems(input)],
  async handler(context, input) {
    const { services, caller, write } = context;
    const { knowledgeBaseId, name, indexing, fileName = '', uploadId } = input;
    const add = (origin: SourceOrigin) =>
      write(async (stores) => {
        await useUpload(stores, uploadId);
        await lockKnowledgeBase(stores, knowledgeBaseId);
        return stores.knowledgeSources.create(knowledgeBaseId, { name, origin, indexing });
      });
    if (input.type === 'website')
      return add({ type: 'website', url: input.url ?? '', maxPages: input.maxPages ?? usualPages });
    return queueUpload(async (use) => {
      const content = use(await readContent(context, input));
      const sealContent = async (id: string) =>
        use(await services.sealFile(caller, 'knowledge_files', id, content));
      return add({ type: 'file', fileName, mimeType: mimeTypeOfFile(input), sealContent });
    });
  },
});

function websiteProblems({ type, url, maxPages }: Input): InputProblem[] {
  if (type === 'file')
    return Object.entries({ url, maxPages })
      .filter(([, value]) => value !== undefined)
      .map(([member]) => ({ path: [member], message: 'Only a source of type website has this member.' }));
  if (url === undefined) return [{ path: ['url'], message: 'Is required for a source of type website.' }];
  const wrong = urlProblem(url);
  return wrong === undefined ? [] : [{ path: ['url'], message: wrong }];
}
