import type { ApiSender } from '../../platform/outbound/api-sender.ts';
import type { RequestPurpose } from '../../platform/outbound/gate.ts';
import { ProviderFailure } from '../providers/provider-request.ts';
import { calCom } from './cal-com.ts';
import { calDav, type Send } from './caldav.ts';
import type { Calendar } from './calendar.ts';

export interface CalendarAccount {
  /** `caldav` or `cal.com`. */
  readonly provider: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly timeZone: string;
}

/** Opens the calendar of an integration. */
export type OpenCalendar = (account: CalendarAccount, purpose: RequestPurpose) => Calendar;

const calComApi = 'https://api.cal.com/v2';

/**
 * Returns a function that opens the calendar of an integration.
 * @throws ProviderFailure (that function) if Parley does not know the provider, or a credential is missing
 */
export function calendarProviders(sender: Pick<ApiSender, 'send'>): OpenCalendar {
  return ({ provider, credentials, timeZone }, purpose) => {
    const send: Send = (request, signal) => sender.send(request, purpose, signal);
    const needed = (name: string, what: string): string => {
      const value = credentials[name];
      if (!value) throw new ProviderFailure(`The integration has no credential ${name}, ${what}.`);
      return value;
    };
    switch (provider.toLowerCase()) {
      case 'caldav':
        return calDav(
          send,
          {
            url: needed('url', 'the address of the calendar or its server'),
            username: needed('username', 'the user of the calendar server'),
            password: needed('password', 'the password of that user'),
            calendar: credentials['calendar'],
          },
          timeZone,
        );
      case 'cal.com': {
        const eventTypeId = Number(needed('eventTypeId', 'the number of the event type at Cal.com'));
        if (!Number.isInteger(eventTypeId))
          throw new ProviderFailure(
            'The credential eventTypeId must be the number of an event type at Cal.com.',
          );
        const apiKey = needed('apiKey', 'an API key of Cal.com, which begins with cal_');
        return calCom(send, { url: credentials['url'] ?? calComApi, apiKey, eventTypeId }, timeZone);
      }
      default:
        throw new ProviderFailure(
          `Parley cannot call the calendar ${provider.slice(0, 100)}. The providers that it knows are caldav and cal.com.`,
        );
    }
  };
}
