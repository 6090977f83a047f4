import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Caller } from '../../src/operation/context.ts';
import { openVoiceProject, type VoiceProject } from '../helpers/voice-project.ts';
import { wav } from '../helpers/wav.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: VoiceProject;
let caller: Caller;
beforeAll(async () => {
  world = await openWorld();
  project = await openVoiceProject(world);
  caller = await world.core.authenticate(project.key);
});
afterAll(() => world.close());

/** Bytes that one query reads. */
const perQuery = 16 * 46_080;
/** Bytes before an encrypted recording, and before the sound of a WAV file. */
const [sealedHead, wavHead] = [32, 44];

/** Stores a recording with this many bytes of sound. Returns it, and a function that reads it again. */
async function stored(bytes: number) {
  const audio = wav(bytes);
  const id = await project.newVoice({ referenceAudioBase64: audio.toString('base64') });
  const read = async () => {
    const reference = await world.stores(project.projectId).voices.reference(id);
    if (!reference) throw new Error('there is no reference');
    return world.core.runtime.services.openFile(caller, 'voices', id, reference.sealedAudio);
  };
  return { audio, read };
}

test.each([-2, 0, 2, perQuery])(
  'reads a recording whose size is that of a query and %i bytes',
  async (more) => {
    const { audio, read } = await stored(perQuery + more - sealedHead - wavHead);
    expect((await read()).equals(audio)).toBe(true);
  },
);

test('reads a recording without copying it in the driver', async () => {
  const { audio, read } = await stored(8 * 1024 * 1024);
  let copied = 0;
  const allocate = Buffer.allocUnsafe.bind(Buffer);
  const spy = vi.spyOn(Buffer, 'allocUnsafe').mockImplementation((size) => {
    if (size > 65_536) copied += size;
    return allocate(size);
  });
  const content = await read();
  spy.mockRestore();
  expect(content.equals(audio)).toBe(true);
  // With pieces of 768 KiB, the driver allocates five times the size of the recording.
  expect(copied / audio.length).toBeLessThan(2);
});
