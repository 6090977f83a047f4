import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import { UpstreamBody } from './upstream-body.ts';

/** A response whose body has not been read yet. */
export interface UpstreamResponse {
  readonly statusCode: number;
  /** By lower-case name. A header that occurs twice is a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: UpstreamBody;
}

/**
 * One request to an upstream and its response, as a handler for undici's `dispatch`. undici's own `request` creates a
 * stream for each response, and those streams survive the collections of young objects: memory grows until a full one.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  /** Rejects if no response arrives, and with the signal's reason if the signal is aborted. */
  readonly response: Promise<UpstreamResponse>;
  readonly #sent: Dispatcher.DispatchOptions['body'];
  readonly #signal: AbortSignal;
  readonly #aborted = () => this.#abort();
  #resolve: (response: UpstreamResponse) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #body: UpstreamBody | undefined;

  /** `sent` is the body of the request. `signal` cancels both the request and the response. */
  constructor(sent: Dispatcher.DispatchOptions['body'], signal: AbortSignal) {
    this.#sent = sent;
    this.#signal = signal;
    this.response = new Promise((resolve, reject) => {
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
    // Informational responses (1xx) precede the final one.
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
