import * as v from 'valibot';
import { checkSamples } from '../../src/design/checks/samples.ts';
import { idMap } from '../../src/design/schema/values.ts';
import { tableOf, textsWithout } from '../../src/design/spoken-texts.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { callText } from '../../src/platform/errors.ts';
import { isLanguageTag } from '../../src/resources/agent-profiles/schema.ts';
import {
  Conversation,
  ConversationName,
  chosenNumber,
  VersionNumber,
  versionChoice,
} from '../../src/resources/conversations/schema.ts';
import { Texts, textsOnMcp, translatedDesign } from '../../src/resources/designs/edit.ts';
import { designErrors } from '../../src/resources/designs/errors.ts';
import { storeConversation } from '../../src/resources/designs/new-conversation.ts';
import { rulesFor } from '../../src/resources/designs/rules.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { isSpoken, translationWarnings } from '../../src/resources/designs/translation.ts';
import { shortenList } from '../../src/resources/record/shorten-list.ts';

/** Characters of JSON of the table of missing texts on MCP. */
const longestTable = 20_000;

export const copyConversation = defineTool({
  name: 'copy_conversation',
  title: 'Copy a conversation',
  description:
    'Makes a conversation of the design, description and profile of another, not its numbers, websites or scenarios. With language, missing lists the texts to translate: give them here or to edit_design.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/copies',
    from: { conversationId: 'path:id' },
    status: 201,
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    name: ConversationName,
    version: v.exactOptional(versionChoice('The active one if left out.')),
    language: v.exactOptional(v.pipe(v.string(), v.maxCodePoints(35), v.description('Such as de.'))),
    texts: v.exactOptional(v.pipe(Texts, v.description(textsOnMcp.description))),
  }),
  output: v.strictObject({
    ...Conversation.entries,
    version: VersionNumber,
    missing: v.exactOptional(
      v.strictObject({
        count: v.pipe(v.number(), v.integer(), v.minValue(1)),
        texts: idMap(v.string()),
      }),
    ),
    warnings: Warnings,
  }),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  errors: {
    ...designErrors,
    403: ['plan_limit_exceeded'],
    501: ['not_yet_supported', 'unsupported_step'],
  },
  check: ({ language }) =>
    language === undefined || isLanguageTag(language)
      ? []
      : [{ path: ['language'], message: 'Expected a language tag of BCP 47, such as en or pt-BR.' }],
  mcp: {
    openWorld: true,
    outputSchema: false,
    inputs: { texts: textsOnMcp },
    shorten: (answer) => withShortTable(answer as JsonObject),
  },
  async handler(
    { stores, services, caller, signal, write },
    { conversationId, name, version: choice = 'active', language, texts = {} },
  ) {
    const source = found(
      await stores.conversations.findNumbered(conversationId),
      'conversation',
      conversationId,
    );
    const { description, kind, agentId } = source;
    const number = chosenNumber(source, choice);
    const base = await loadDesign(stores, conversationId, number);
    await services.turn(caller);
    const design = translatedDesign(base, texts, { conversationId, version: number });
    const missing = language === undefined || isSpoken(base, language) ? [] : textsWithout(base, texts);
    const [isTrial] = checkSamples(design);
    const rules = await rulesFor({ services, signal }, design, base);
    const made = { name, description, kind, agentId, design, base, isTrial: isTrial !== undefined };
    return write(async (stores) => {
      const { conversation, version, warnings } = await storeConversation(stores, caller, made, rules);
      const profile = language && agentId ? await stores.agentProfiles.find(agentId) : undefined;
      const ofLanguage =
        language === undefined
          ? []
          : translationWarnings(design, language, {
              isWhole: missing.length === 0,
              heardBy: profile?.supportedInputLanguages ?? [],
            });
      const all = [...warnings, ...ofLanguage];
      return {
        ...conversation,
        version,
        ...(missing.length > 0 && { missing: { count: missing.length, texts: tableOf(missing) } }),
        ...(all.length > 0 && { warnings: all }),
      };
    });
  },
});

/** A copy whose table of missing texts is too long for one response. */
function withShortTable(answer: JsonObject): JsonObject {
  const { count, texts } = answer['missing'] as { readonly count: number; readonly texts: object };
  const conversationId = answer['id'];
  return {
    ...answer,
    missing: { count, texts: Object.fromEntries(shortenList(Object.entries(texts), longestTable)) },
    truncated: true,
    hint: `There are more texts. ${callText('read_design', { conversationId, texts: true, steps: ['…'] })} lists those of some steps.`,
  };
}
