import type { ToolContext } from '../../environment/context.ts';
import type { Caller } from '../../operation/context.ts';
import { found, notFound } from '../../operation/found.ts';
import { isOwnForm } from '../../operation/reference.ts';
import type { Recording } from '../../services/models/reference-voice.ts';
import type { Speaker } from '../../services/models/speech.ts';
import { agentOf } from '../record/agent-of.ts';
import type { DesignOwner } from '../record/design-owner.ts';
import { builtInVoices, defaultVoiceId } from './catalogue.ts';

type Context = Pick<ToolContext, 'stores' | 'services'> & { readonly caller: Pick<Caller, 'projectId'> };

/** The reference audio of a custom voice, for a model to imitate. */
export async function recordingOf({ stores, services, caller }: Context, id: string): Promise<Recording> {
  const { transcript, sealedAudio } = found(await stores.voices.reference(id), 'voice', id);
  return { audio: await services.openFile(caller, 'voices', id, sealedAudio), transcript };
}

/** The voice of a conversation or flow, by its agent profile; the default voice if that says nothing, or its voice was deleted. */
export async function speakerOf(context: Context, owner: DesignOwner): Promise<Speaker> {
  const { stores } = context;
  const agentId = await agentOf(stores, owner);
  const profile = agentId === null ? undefined : await stores.agentProfiles.find(agentId);
  const custom = profile && (await stores.voices.resolve(profile.outputVoiceId));
  if (custom) return { recording: await recordingOf(context, custom.id) };
  const builtIn = builtInVoices.find(({ id }) => id === profile?.outputVoiceId);
  return { builtIn: builtIn?.id ?? defaultVoiceId };
}

/**
 * The id of the built-in voice that is asked for. Undefined if an upstream has to know the voice, and gets it as it was sent.
 * @throws ToolError `not_found` for an id of Parley, which no upstream knows
 */
export function builtInVoice(name: string | undefined): string | undefined {
  if (name === undefined) return defaultVoiceId;
  const builtIn = builtInVoices.find((one) => one.id === name || one.name === name);
  if (builtIn === undefined && isOwnForm(name)) throw notFound('voice', name);
  return builtIn?.id;
}
