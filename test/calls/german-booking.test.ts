import { expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { withTexts } from '../../src/design/spoken-texts.ts';
import { filledDesign } from '../../src/resources/catalogue/fill.ts';
import { knownTemplate } from '../../src/resources/catalogue/template-choice.ts';
import { germanBooking } from './german-booking.ts';
import { play, said } from './play.ts';

const design = withTexts(filledDesign(knownTemplate('appointment-booking'), {}), germanBooking) as Design;

test('books in German to the end, without a model', () => {
  const run = play(design, [
    'Guten Tag, Petra Müller hier, ich möchte nächsten Donnerstag um 14 Uhr zur Kontrolle kommen.',
    'null eins sieben eins, zwei drei vier, fünf sechs sieben acht',
    'Ja',
  ]);
  expect(run.ended).toEqual({ reason: 'completed', step: 'requested' });
  expect(run.variables).toMatchObject({
    service: 'Kontrolle',
    preferredTime: '14:00',
    callerName: 'Petra Müller',
    callbackNumber: '01712345678',
  });
});

test('moves an appointment and quotes the opening hours in German', () => {
  const moved = play(design, [
    'Ich muss meinen Termin am Montag verschieben',
    'Schmidt, Anna Schmidt',
    'auf Mittwoch um zehn',
  ]);
  expect(moved.ended).toEqual({ reason: 'completed', step: 'changeNoted' });
  expect(moved.variables).toMatchObject({ callerName: 'Anna Schmidt', bookedDay: 'Montag' });
  const asked = play(design, ['Wann haben Sie geöffnet?', 'Nein danke, das war alles.']);
  expect(said(asked)).toContain('agent: Öffnungszeiten: Montag bis Freitag, 8 bis 18 Uhr');
  expect(asked.ended).toEqual({ reason: 'completed', step: 'goodbye' });
});
