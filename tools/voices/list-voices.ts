import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { shortenList } from '../../src/resources/record/shorten-list.ts';
import { catalogueVoices, customVoice, Voice } from '../../src/resources/voices/schema.ts';

/** Characters of JSON that a list of voices may have on MCP. */
const maximumVoices = 35_000;

export const listVoices = defineTool({
  name: 'list_voices',
  title: 'List voices',
  description: 'Lists the custom voices of the project, newest first, then the built-in ones.',
  rest: { method: 'GET', path: '/v1/voices' },
  input: v.strictObject({}),
  output: v.array(Voice),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  envelope: 'detail',
  mcp: {
    outputSchema: false,
    shorten(answer) {
      const voices = answer as v.InferOutput<typeof Voice>[];
      const custom = voices.filter(({ isCustom }) => isCustom);
      const room = maximumVoices - JSON.stringify(catalogueVoices).length;
      const shown = shortenList(custom, room);
      const hint = `${custom.length - shown.length} older custom voices are left out. GET /v1/voices lists all of them.`;
      return { items: [...shown, ...catalogueVoices], hint };
    },
  },
  handler: async ({ stores }) => [...(await stores.voices.list()).map(customVoice), ...catalogueVoices],
});
