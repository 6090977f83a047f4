import { describe, expect, onTestFinished, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { openCalendarProject, practice } from '../helpers/calendar-project.ts';
import { hasRadicale, openRadicale } from '../helpers/radicale.ts';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { saidIn } from '../helpers/session-project.ts';
import { openWorld } from '../helpers/world.ts';

/** A project whose calendar is on a CalDAV server, in the time zone of Berlin. */
async function openPractice() {
  const radicale = await openRadicale();
  const world = await openWorld({ models: undefined, outbound: { allow: radicale.allow } });
  onTestFinished(() => world.close());
  const project = await openCalendarProject(world, radicale.credentials);
  const zone = await project.call('PATCH', `/v1/projects/${project.projectId}`, {
    timeZone: 'Europe/Berlin',
  });
  expect(zone.status, JSON.stringify(zone.body)).toBe(200);
  return { radicale, world, project };
}

/** A day in the next week, as callers say it and as calendars write it. */
function nextDay(days: number) {
  const date = new Date(Date.now() + days * 86_400_000);
  const [iso = ''] = date.toISOString().split('T');
  const said = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(date);
  const spoken = new Intl.DateTimeFormat('en', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(date);
  return { iso, said, spoken, compact: iso.replaceAll('-', '') };
}

/** Hours by which Berlin is ahead of UTC on a day. */
function berlinOffset(iso: string): number {
  const noon = new Date(`${iso}T12:00:00Z`);
  return (
    Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/Berlin' }).format(noon)) - 12
  );
}

const utcOf = (compact: string, offset: number, hour: number, minutes = '00') =>
  `${compact}T${String(hour - offset).padStart(2, '0')}${minutes}00Z`;

describe.skipIf(!hasRadicale)('a session with a calendar', () => {
  test('books in the calendar of the project, in its time zone', async () => {
    const { radicale, project } = await openPractice();
    const day = nextDay(5);
    const visit = await project.visit(await project.agentOf(practice(project.integrationId)));
    await visit.start();
    const events = await visit.say(`My name is Ana Silva, ${day.said} at 10 am please.`);
    expect(saidIn(events)).toEqual([`You are booked for ${day.spoken} at 10 AM.`]);
    const [event = ''] = await radicale.objects();
    expect(event).toContain(`DTSTART:${utcOf(day.compact, berlinOffset(day.iso), 10)}`);
    expect(event).toContain(`DTEND:${utcOf(day.compact, berlinOffset(day.iso), 10, '30')}`);
    expect(event).toContain('SUMMARY:Check-up of Ana Silva');
  });

  test('says that another program has taken the time, and offers the next', async () => {
    const { radicale, project } = await openPractice();
    const day = nextDay(5);
    const offset = berlinOffset(day.iso);
    await radicale.put('staff', [
      `DTSTART:${utcOf(day.compact, offset, 10)}`,
      `DTEND:${utcOf(day.compact, offset, 10, '30')}`,
    ]);
    const visit = await project.visit(await project.agentOf(practice(project.integrationId)));
    await visit.start();
    const offered = await visit.say(`My name is Ana Silva, ${day.said} at 10 am please.`);
    expect(saidIn(offered)).toEqual([
      `I am sorry, that time is not free. I can offer ${day.spoken} at 9 AM, 9:30 AM, or 10:30 AM.`,
      'Which of these do you take?',
    ]);
    expect(saidIn(await visit.say('Half past ten.'))).toEqual([
      `You are booked for ${day.spoken} at 10:30 AM.`,
    ]);
    expect(await radicale.objects()).toHaveLength(2);
  });

  test('gives one slot to one of ten callers who want it at once, on two replicas', async () => {
    const { radicale, world, project } = await openPractice();
    const second = await openSecondReplica(world, { outbound: { allow: radicale.allow } });
    onTestFinished(() => second.close());
    const day = nextDay(5);
    const agent = await project.agentOf(practice(project.integrationId));
    const visits = await Promise.all(Array.from({ length: 10 }, () => project.visit(agent)));
    await Promise.all(visits.map((visit) => visit.start()));
    const replies = await Promise.all(
      visits.map((visit, index) =>
        visit.say(
          `My name is Ana Silva, ${day.said} at 10 am please.`,
          undefined,
          index % 2 === 0 ? {} : { base: second.base },
        ),
      ),
    );
    const booked = replies.filter((events) =>
      saidIn(events).some((text) => String(text).includes('You are booked')),
    );
    expect(booked).toHaveLength(1);
    for (const events of replies.filter((one) => !booked.includes(one)))
      expect(saidIn(events)[0]).toMatch(
        /^I am sorry, that time is not free\. I can offer .* at 9 AM, 9:30 AM, or 10:30 AM\.$/,
      );
    expect(await radicale.objects()).toHaveLength(1);
  });

  test('tells the caller nothing of a calendar that rejects the password, and keeps the password out of the record', async () => {
    const { radicale, project } = await openPractice();
    const { body } = await project.call('POST', `/v1/projects/${project.projectId}/integrations`, {
      kind: 'calendar',
      provider: 'caldav',
      name: 'Wrong',
      credentials: { ...radicale.credentials, password: 'wrong-password-zq7' },
    });
    const visit = await project.visit(await project.agentOf(practice(body.id)));
    await visit.start();
    const events = await visit.say(`My name is Ana Silva, ${nextDay(5).said} at 10 am please.`);
    expect(saidIn(events)).toEqual(['A colleague will call you back.']);
    const record = await project.call('GET', `/v1/sessions/${visit.id}`);
    const text = JSON.stringify(record.body);
    expect(text).toContain('The calendar server rejected the credentials (status 401).');
    expect(text).not.toContain('zq7');
  });
});

describe('a design with a calendar', () => {
  test('must name an integration of kind calendar', async () => {
    const world = await openWorld();
    onTestFinished(() => world.close());
    const project = await openCalendarProject(world, {
      url: 'https://calendar.example/',
      username: 'a',
      password: 'b',
    });
    const crm = await project.call('POST', `/v1/projects/${project.projectId}/integrations`, {
      kind: 'crm',
      provider: 'hubspot',
      name: 'Customers',
      credentials: {},
    });
    const validate = async (design: Design) => {
      const { body } = await project.call('POST', `/v1/projects/${project.projectId}/designs/validate`, {
        design,
      });
      return body;
    };
    expect(JSON.stringify(await validate(practice(crm.body.id)))).toContain('integration_kind_mismatch');
    expect(JSON.stringify(await validate(practice(project.integrationId)))).not.toContain('"error"');
  });
});
