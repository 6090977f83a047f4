import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import { UpstreamBody } from './upstream-body.ts';

/** An answer whose body has yet to be read. */
export interface UpstreamAnswer {
  readonly statusCode: number;
  /** By their names in lower case; what an upstream says twice is a list, whatever it is. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: UpstreamBody;
}

/**
 * One request and its answer, as undici hands them over. Its own `request` makes a stream of each answer, and what that
 * is made of outlives the collections of new objects until all memory is gone through.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Rejects where none comes, and with the signal's reason once that is aborted. */
  readonly answer: Promise<UpstreamAnswer>;
  readonly #sent: Dispatcher.DispatchOptions['body'];
  readonly #signal: AbortSignal;
  readonly #aborted = () => this.#abort();
  #resolve: (answer: UpstreamAnswer) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #body: UpstreamBody | undefined;

  /** `sent` is the body of the request, `signal` ends both it and the answer. */
  constructor(sent: Dispatcher.DispatchOptions['body'], signal: AbortSignal) {
    this.#sent = sent;
    this.#signal = signal;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener('abort', this.#aborted, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Those below are said on the way to an answer.
    if (statusCode < 200) return;
    this.#body = new UpstreamBody(controller);
    this.#resolve({ statusCode, headers, body: this.#body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#body?.receive(piece);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this.#aborted);
    this.#body?.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#signal.removeEventListener('abort', this.#aborted);
    if (this.#sent instanceof Readable) this.#sent.destroy();
    this.#body?.finish(error);
    this.#reject(error);
  }

  #abort(): void {
    const reason: unknown = this.#signal.reason;
    this.#reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new errors.RequestAbortedError());
  }
}
