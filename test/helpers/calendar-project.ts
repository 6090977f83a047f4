import { expect } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { weekdays } from '../../src/platform/calendar.ts';
import { openSessionProject } from './session-project.ts';
import type { World } from './world.ts';

/** Asks for a day and a time, and books it; if it is taken, offers others. */
export function practice(integrationId = 'c1cal7w2abc'): Design {
  const use = {
    integrationRef: 'diary',
    hours: Object.fromEntries(weekdays.map((day) => [day, [{ from: '09:00', to: '12:00' }]])),
    daySource: { variableId: 'day' },
    timeSource: { variableId: 'time' },
    offeredVariableId: 'offered',
    startVariableId: 'appointment',
    bookingVariableId: 'booking',
    outcomeVariableId: 'outcome',
  };
  return {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    variables: ['name', 'day', 'time', 'offered', 'appointment', 'booking', 'outcome'].map((id) => ({
      id,
      type: 'text' as const,
    })),
    integrations: [{ id: 'diary', kind: 'calendar', integrationId }],
    steps: {
      hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'ask' } },
      ask: {
        kind: 'collect',
        prompt: 'What is your name, and which day and time suit you?',
        collect: [
          { id: 'n', variableId: 'name', expects: 'name', required: true, question: 'What is your name?' },
          { id: 'd', variableId: 'day', expects: 'date', required: true, question: 'Which day?' },
          { id: 't', variableId: 'time', expects: 'time', required: true, question: 'At what time?' },
        ],
        on: { next: 'book' },
      },
      book: {
        kind: 'appointment',
        calendar: {
          ...use,
          action: 'book',
          nameSource: { variableId: 'name' },
          title: 'Check-up of {{name}}',
        },
        on: { next: 'done', taken: 'taken', none: 'person' },
      },
      taken: {
        kind: 'message',
        text: 'I am sorry, that time is not free. I can offer {{offered}}.',
        on: { next: 'choose' },
      },
      choose: {
        kind: 'collect',
        prompt: 'Which of these do you take?',
        collect: [{ id: 't', variableId: 'time', expects: 'time', required: true }],
        on: { next: 'book', failed: 'person' },
      },
      done: { kind: 'end', line: 'You are booked for {{appointment}}.' },
      person: { kind: 'end', line: 'A colleague will call you back.' },
    },
  };
}

/** A project with a calendar integration. */
export async function openCalendarProject(
  world: World,
  credentials: Readonly<Record<string, string>>,
  provider = 'caldav',
) {
  const project = await openSessionProject(world);
  const { status, body } = await project.call('POST', `/v1/projects/${project.projectId}/integrations`, {
    kind: 'calendar',
    provider,
    name: 'Appointments',
    credentials,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...project, integrationId: body.id as string };
}
