/** The configuration of a flow. */
export const flowSchema = {
  greeting: 'Good day, I am the AI assistant of Dr. Kay. How may I help you?',
  instructions: 'Find out what the caller needs, offer the next free slot, and read the time back.',
  language: 'en',
  persona: { name: 'Robin', role: 'receptionist', tone: 'calm' },
  questions: [
    { key: 'name', prompt: 'May I have your name?', required: true },
    { key: 'reason', prompt: 'What is it about?' },
  ],
  closing: 'Thank you for calling.',
};

/** The input of a new flow. */
export const newFlow = { name: 'Reception', description: 'Books appointments.', flowSchema };

/** Returns a record without the members that each call gives another value. */
export function lasting(record: unknown): object {
  const {
    id: _id,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...rest
  } = record as Record<string, unknown>;
  return rest;
}
