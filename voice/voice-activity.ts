import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { hearingRate, windowLength } from './recent-audio.ts';

/** Samples of the window before that the model gets once more. */
const contextLength = 64;

const weights = path.join(import.meta.dirname, 'silero/silero_vad_16k_op15.onnx');
const rate = new Tensor('int64', BigInt64Array.of(BigInt(hearingRate)), []);

/** Loads Silero's voice activity detection, which all calls share. */
export function loadVoiceModel(): Promise<InferenceSession> {
  // One thread: a window takes a fraction of a millisecond, and calls run side by side.
  return InferenceSession.create(weights, {
    interOpNumThreads: 1,
    intraOpNumThreads: 1,
    executionMode: 'sequential',
  });
}

/** Says of each window of one caller's audio how probable speech is in it. */
export class VoiceActivity {
  readonly #model: InferenceSession;
  readonly #input = new Float32Array(contextLength + windowLength);
  #state: Tensor = new Tensor('float32', new Float32Array(2 * 128), [2, 1, 128]);

  constructor(model: InferenceSession) {
    this.#model = model;
  }

  /** Returns the probability of speech, 0 to 1. Windows must come one at a time, in their order. */
  async hear(window: Int16Array): Promise<number> {
    const input = this.#input;
    input.copyWithin(0, windowLength);
    for (const [index, sample] of window.entries()) input[contextLength + index] = sample / 32_768;
    const result = await this.#model.run({
      input: new Tensor('float32', input, [1, input.length]),
      state: this.#state,
      sr: rate,
    });
    const { output, stateN } = result;
    if (!output || !stateN) throw new Error('The voice activity model has no outputs "output" and "stateN".');
    this.#state = stateN;
    return Number(output.data[0]);
  }
}
