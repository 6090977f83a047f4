import type { Contact, CrmProvider } from './crm.ts';
import { callProvider, ProviderFailure } from './provider-request.ts';

/** The types of HubSpot's own associations (its API v4): from a call and from a note to a contact. */
const callToContact = 194;
const noteToContact = 202;

const dealPrefix = 'deal.';

interface Found {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
}

/** @throws ProviderFailure if a text, which may come from a caller, is not an id of HubSpot: it becomes part of a path */
function checkedId(id: string): string {
  if (!/^\d{1,20}$/.test(id)) throw new ProviderFailure('The id of the contact is not one of HubSpot.');
  return id;
}

/** A text for a property that HubSpot shows as HTML. */
function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>');
}

/**
 * Reads and writes contacts of HubSpot (its CRM API v3).
 * @param baseUrl such as https://api.hubapi.com
 * @param accessToken of a private app
 */
export function hubSpot(baseUrl: string, accessToken: string): CrmProvider {
  const call = (
    method: 'POST' | 'PATCH',
    path: string,
    signal: AbortSignal,
    body: Readonly<Record<string, unknown>>,
  ) =>
    callProvider(
      'HubSpot',
      {
        method,
        url: new URL(path, baseUrl).href,
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      (error) => (error as { message?: string } | undefined)?.message,
      signal,
    );
  const attach = (
    type: 'calls' | 'notes',
    associationTypeId: number,
    contactId: string,
    properties: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) =>
    call('POST', `/crm/v3/objects/${type}`, signal, {
      properties,
      associations: [
        {
          to: { id: checkedId(contactId) },
          types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
        },
      ],
    });
  const newestDeal = async (contactId: string, fields: readonly string[], signal: AbortSignal) => {
    const { results = [] } = (await call('POST', '/crm/v3/objects/deals/search', signal, {
      filterGroups: [
        { filters: [{ propertyName: 'associations.contact', operator: 'EQ', value: contactId }] },
      ],
      sorts: [{ propertyName: 'createdate', direction: 'DESCENDING' }],
      properties: fields,
      limit: 1,
    })) as { results?: readonly Found[] };
    const properties = results[0]?.properties ?? {};
    return Object.fromEntries(fields.map((field) => [dealPrefix + field, properties[field] ?? null]));
  };

  return {
    async findContact({ phone, email, fields }, signal) {
      // Groups are alternatives; HubSpot accepts five at most.
      const equals = (propertyName: string, value: string) => ({
        filters: [{ propertyName, operator: 'EQ', value }],
      });
      const filterGroups = [
        ...(email ? [equals('email', email.toLowerCase())] : []),
        ...(phone ? [equals('phone', phone), equals('mobilephone', phone)] : []),
      ];
      if (filterGroups.length === 0) return null;
      const own = fields.filter((field) => !field.startsWith(dealPrefix));
      const { results = [] } = (await call('POST', '/crm/v3/objects/contacts/search', signal, {
        filterGroups,
        properties: own,
        limit: 1,
      })) as { results?: readonly Found[] };
      const [contact] = results;
      if (!contact) return null;
      const ofDeal = fields.flatMap((field) =>
        field.startsWith(dealPrefix) ? [field.slice(dealPrefix.length)] : [],
      );
      const deal: Contact = ofDeal.length > 0 ? await newestDeal(contact.id, ofDeal, signal) : {};
      return { ...contact.properties, ...deal, id: contact.id };
    },
    async createContact(properties, signal) {
      const { id } = (await call('POST', '/crm/v3/objects/contacts', signal, { properties })) as Found;
      return id;
    },
    async updateContact(id, properties, signal) {
      await call('PATCH', `/crm/v3/objects/contacts/${checkedId(id)}`, signal, { properties });
    },
    async addNote(contactId, text, time, signal) {
      await attach(
        'notes',
        noteToContact,
        contactId,
        { hs_timestamp: time, hs_note_body: html(text) },
        signal,
      );
    },
    async logCall(contactId, { startedAt, durationSeconds, from, to, title, body }, signal) {
      const properties = {
        hs_timestamp: startedAt,
        hs_call_title: title,
        hs_call_body: html(body),
        hs_call_direction: 'INBOUND',
        hs_call_status: 'COMPLETED',
        hs_call_duration: String(Math.round(durationSeconds * 1_000)),
        ...(from && { hs_call_from_number: from }),
        ...(to && { hs_call_to_number: to }),
      };
      await attach('calls', callToContact, contactId, properties, signal);
    },
  };
}
