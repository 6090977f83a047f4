import type { HttpRequest } from './http-request.ts';

/** A chat of a few turns. */
export function chatRequest(key: string, stream: boolean): HttpRequest {
  const messages = [
    {
      role: 'system',
      content: 'You answer the phone of a dental practice. Be brief, and say that you are an AI.',
    },
    { role: 'user', content: 'Good morning. When are you open this week?' },
  ];
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', messages, temperature: 0.2, ...(stream && { stream }) }),
  };
}
