import { errorOf, unreachable } from './api-error.ts';

/** What `GET /` says about the server. */
export interface ServerInformation {
  readonly version: string;
  /** True if this browser may get the key of the demo. */
  readonly demo: boolean;
  /** Which services have a model. */
  readonly models: { readonly speech: boolean; readonly transcription: boolean };
}

export async function readServer(signal: AbortSignal): Promise<ServerInformation> {
  return (await read('/', { headers: { accept: 'application/json' }, signal })) as ServerInformation;
}

/** Returns the key of the demo. The server gives it to browsers of its own user on its own machine. */
export async function readDemoKey(): Promise<string> {
  const { key } = (await read('/studio/demo-key', { method: 'POST' })) as { key: string };
  return key;
}

async function read(path: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(path, request).catch((thrown: unknown) => {
    throw unreachable(thrown);
  });
  if (!response.ok) throw await errorOf(response);
  return response.json();
}
