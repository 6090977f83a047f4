import { expect } from 'vitest';
import { wav } from '../helpers/wav.ts';
import type { RestAnswer, World } from '../helpers/world.ts';
import { openProject, type Project } from './project.ts';

/** A project of its own, and the calls that tests of voices make in it. */
export interface VoiceProject extends Project {
  /** Clones a voice; what is not said is the smallest that is valid. */
  clone(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** The id of a new voice. */
  newVoice(body?: Record<string, unknown>): Promise<string>;
  list(): Promise<RestAnswer['body'][]>;
  remove(voiceId: string): Promise<RestAnswer>;
  /** Entries of the trash, deleted last first. */
  trash(): Promise<{ id: string; kind: string; resourceId: string; name: string }[]>;
  restore(trashId: string | undefined): Promise<RestAnswer>;
}

export const recording = wav();

/** A voice as it is asked for. */
export const wanted = {
  name: 'Ada',
  gender: 'female',
  referenceAudioBase64: recording.toString('base64'),
  referenceTranscript: 'Good morning.',
};

export async function openVoiceProject(world: World): Promise<VoiceProject> {
  const project = await openProject(world);
  const { call, projectId } = project;
  const clone = (body: Record<string, unknown> = {}) => call('POST', '/v1/voices', { ...wanted, ...body });
  return {
    ...project,
    clone,
    async newVoice(body) {
      const answer = await clone(body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body.id;
    },
    async list() {
      const { status, body } = await call('GET', '/v1/voices');
      expect(status).toBe(200);
      return body;
    },
    remove: (voiceId) => call('DELETE', `/v1/voices/${encodeURIComponent(voiceId)}`),
    trash: async () => (await call('GET', `/v1/projects/${projectId}/trash`)).body.trash,
    restore: (trashId) => call('POST', `/v1/projects/${projectId}/trash/${trashId}/restore`),
  };
}
