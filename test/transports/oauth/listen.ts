import { expect } from 'vitest';
import { modernMessage } from '../mcp/modern-message.ts';

/** Opens a stream of the changes of a resource. */
export async function listen(base: string, token: string, address: string) {
  const request = modernMessage('subscriptions/listen', {
    notifications: { resourceSubscriptions: [address] },
  });
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...request.headers,
    },
    body: request.body as string,
  });
  expect(response.status).toBe(200);
  let [text, isOpen] = ['', true];
  const pieces = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  void (async () => {
    for await (const piece of pieces) text += piece;
  })()
    // Parley cuts the connection of a stream that it ends.
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
    });
  await expect.poll(() => text).toContain('subscriptions/acknowledged');
  return { isOpen: () => isOpen, text: () => text };
}
