import { expect, test } from 'vitest';
import { crmProviders } from '../../../src/services/providers/crm-providers.ts';
import { twilio } from '../../../src/services/providers/twilio.ts';
import { never } from '../../helpers/wall-trial.ts';
import { hubSpotToken, openHubSpot, openTwilio, twilioAccount } from './stand-in.ts';

test('Twilio gets the number, the text and the sender', async () => {
  const { url, messages } = await openTwilio();
  await twilio(url, twilioAccount).send({ to: '+12025550143', text: 'Your table is booked: é & +' }, never);
  await twilio(url, { ...twilioAccount, from: 'MG1' }).send({ to: '+12025550143', text: 'Hi' }, never);
  expect(messages).toEqual([
    { To: '+12025550143', Body: 'Your table is booked: é & +', From: '+12025550100' },
    { To: '+12025550143', Body: 'Hi', MessagingServiceSid: 'MG1' },
  ]);
});

test.each([
  [{ authToken: 'wrong' }, '+12025550143', 'Twilio rejected the credentials (status 401).'],
  [{}, '12', "Twilio responded with status 400: Invalid 'To' Phone Number: 12"],
])('reports what Twilio says about a message with %j to %s', async (change, to, message) => {
  const { url } = await openTwilio();
  const sms = twilio(url, { ...twilioAccount, ...change });
  await expect(sms.send({ to, text: 'Hi' }, never)).rejects.toThrow(message);
});

test('reports a provider that cannot be reached, without the address or the credentials', async () => {
  const sms = twilio('http://127.0.0.1:9', twilioAccount);
  await expect(sms.send({ to: '+12025550143', text: 'Hi' }, never)).rejects.toThrow(
    /^Twilio could not be reached\.$/,
  );
});

async function openCrm(contacts?: readonly Record<string, string>[]) {
  const standIn = await openHubSpot(contacts);
  return {
    ...standIn,
    crm: crmProviders({ hubSpotUrl: standIn.url })('HubSpot', { accessToken: hubSpotToken }),
  };
}

test('HubSpot finds a contact by phone, mobile phone or email, with the fields that were asked for', async () => {
  const { crm } = await openCrm([
    { phone: '+12025550143', firstname: 'Ana' },
    { mobilephone: '+12025550144', firstname: 'Ben' },
    { email: 'cleo@example.com', firstname: 'Cleo' },
  ]);
  const firstNameOf = async (query: { phone?: string; email?: string }) =>
    (await crm.findContact({ ...query, fields: ['firstname', 'company'] }, never))?.['firstname'];
  expect(await firstNameOf({ phone: '+12025550143' })).toBe('Ana');
  expect(await firstNameOf({ phone: '+12025550144' })).toBe('Ben');
  expect(await firstNameOf({ email: 'Cleo@Example.com' })).toBe('Cleo');
  expect(await firstNameOf({ phone: '+12025550199' })).toBeUndefined();
  expect(await firstNameOf({})).toBeUndefined();
  expect(await crm.findContact({ phone: '+12025550143', fields: ['company'] }, never)).toEqual({
    id: '1000',
    company: null,
  });
});

test('HubSpot reads fields of the deal only if a field asks for one', async () => {
  const { crm, create, calls } = await openCrm([{ phone: '+12025550143' }]);
  create('deals', { dealname: 'Whitening' }, [{ to: { id: '1000' } }]);
  const query = { phone: '+12025550143' };
  expect(await crm.findContact({ ...query, fields: ['deal.dealname'] }, never)).toMatchObject({
    'deal.dealname': 'Whitening',
  });
  calls.length = 0;
  await crm.findContact({ ...query, fields: ['phone'] }, never);
  expect(calls.map(({ path }) => path)).toEqual(['/crm/v3/objects/contacts/search']);
});

test('HubSpot creates and updates a contact, and attaches a note and a call to it', async () => {
  const { crm, objects } = await openCrm();
  const id = await crm.createContact({ phone: '+12025550143' }, never);
  await crm.updateContact(id, { firstname: 'Ana' }, never);
  await crm.addNote(id, 'Wants a call back.', '2026-03-02T09:30:00.000Z', never);
  const call = {
    startedAt: '2026-03-02T09:30:00.000Z',
    durationSeconds: 12.5,
    title: 'Call',
    body: 'Said hello.',
  };
  await crm.logCall(id, { ...call, from: '+12025550143' }, never);
  expect(objects).toMatchObject({
    contacts: [{ id, properties: { phone: '+12025550143', firstname: 'Ana' } }],
    notes: [{ properties: { hs_note_body: 'Wants a call back.' }, associations: [{ to: { id } }] }],
    calls: [
      {
        properties: {
          hs_call_duration: '12500',
          hs_call_from_number: '+12025550143',
          hs_call_body: 'Said hello.',
        },
        associations: [{ to: { id } }],
      },
    ],
  });
});

test('reports an unknown CRM, a missing credential and a rejected one', async () => {
  const { url } = await openHubSpot();
  const open = crmProviders({ hubSpotUrl: url });
  expect(() => open('pipedrive', {})).toThrow('Parley cannot call the CRM pipedrive.');
  expect(() => open('hubspot', {})).toThrow('The integration has no credential accessToken');
  await expect(
    open('hubspot', { accessToken: 'wrong' }).findContact({ phone: '+12025550143', fields: [] }, never),
  ).rejects.toThrow('HubSpot rejected the credentials (status 401).');
});
