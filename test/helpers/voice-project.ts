import { expect } from 'vitest';
import { openProject, type Project } from './project.ts';
import { wav } from './wav.ts';
import type { RestAnswer, World } from './world.ts';

/** A new project, and the calls that tests of voices make in it. */
export interface VoiceProject extends Project {
  /** Clones a voice. Members that `body` omits come from `validVoice`. */
  clone(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** Clones a voice and returns its id. */
  newVoice(body?: Record<string, unknown>): Promise<string>;
  list(): Promise<RestAnswer['body'][]>;
  remove(voiceId: string): Promise<RestAnswer>;
  /** Entries of the trash, the last deleted first. */
  trash(): Promise<{ id: string; kind: string; resourceId: string; name: string }[]>;
  restore(trashId: string | undefined): Promise<RestAnswer>;
}

export const recording = wav();

/** A valid request body, with the smallest recording. */
export const validVoice = {
  name: 'Ada',
  gender: 'female',
  referenceAudioBase64: recording.toString('base64'),
  referenceTranscript: 'Good morning.',
};

export async function openVoiceProject(world: World): Promise<VoiceProject> {
  const project = await openProject(world);
  const { call, projectId } = project;
  const clone = (body: Record<string, unknown> = {}) =>
    call('POST', '/v1/voices', { ...validVoice, ...body });
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
