import { httpRow } from '../http-row.ts';

const simpleFlow = {
  greeting: 'Good day, this is the practice of Dr. Kay. How may I help you?',
  instructions: 'Find out what the caller needs, offer the next free slot, and read the time back.',
  language: 'en',
  persona: { name: 'Robin', role: 'receptionist', tone: 'calm' },
  questions: [
    { key: 'name', prompt: 'May I have your name?', required: true },
    { key: 'reason', prompt: 'What is it about?' },
  ],
  closing: 'Thank you for calling.',
};

/** The members that do not change with each call. */
function lasting(body: unknown) {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = body as Record<string, unknown>;
  return rest;
}

export const createFlow = httpRow({
  name: 'create-flow',
  path: 'POST /v1/projects/{id}/flows (flow and version), 32 connections',
  limit: 'bare node:http + pg, BEGIN, 2 inserts, COMMIT',
  baseline: 'http.ts',
  unit: 'req/s',
  connections: 32,
  figure: 'requestsPerSecond',
  better: 'higher',
  reach: 0.8,
  floor: 0.6,
  request: ({ projectId, key }) => ({
    method: 'POST',
    path: `/v1/projects/${projectId}/flows`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Reception', description: 'Books appointments.', flowSchema: simpleFlow }),
  }),
  compare: lasting,
  sameLength: true,
});
