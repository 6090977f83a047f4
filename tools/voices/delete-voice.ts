import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { looseRef, ofKind } from '../../src/operation/reference.ts';
import { deletionInWords, usersInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';
import { defaultVoiceId } from '../../src/resources/voices/catalogue.ts';

export const deleteVoice = defineTool({
  name: 'delete_voice',
  title: 'Delete a voice',
  description:
    'Moves a custom voice to the trash. Agent profiles that use it get the default voice. Built-in voices cannot be deleted.',
  rest: { method: 'DELETE', path: '/v1/voices/{voice_id}', from: { voiceId: 'path:voice_id' } },
  input: v.strictObject({ voiceId: v.pipe(looseRef('voice'), ofKind('voice')) }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  envelope: 'detail',
  consequences: ({ stores }, { voiceId }) =>
    deletionInWords(stores, voiceId, 'voice', (users) => {
      const words = usersInWords(users);
      return words ? `The default voice replaces it in ${words}.` : 'No agent profile uses it.';
    }),
  async handler({ stores }, { voiceId }) {
    // Locks in the order that every change of several profiles uses: project, voice, profiles.
    await stores.projects.hold();
    const result = deleted('voice', voiceId, await stores.voices.trash(voiceId));
    // A concurrent change that gave this voice to a profile has committed by now, so this statement sees it.
    await stores.agentProfiles.replaceVoice(voiceId, defaultVoiceId);
    return result;
  },
});
