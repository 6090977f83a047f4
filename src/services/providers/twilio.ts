import { callProvider } from './provider-request.ts';
import type { SmsProvider } from './sms.ts';

/** An account of Twilio. */
export interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  /** The sender: a phone number in E.164, or the SID of a messaging service (`MG…`). */
  readonly from: string;
}

/**
 * Sends text messages over Twilio (Messages resource of its API 2010-04-01).
 * @param baseUrl such as https://api.twilio.com
 */
export function twilio(baseUrl: string, { accountSid, authToken, from }: TwilioAccount): SmsProvider {
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, baseUrl).href;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  return {
    async send({ to, text }, signal) {
      const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
      await callProvider(
        'Twilio',
        {
          method: 'POST',
          url,
          headers: {
            authorization: `Basic ${credentials}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ To: to, Body: text, ...sender }).toString(),
        },
        (body) => (body as { message?: string } | undefined)?.message,
        signal,
      );
    },
  };
}
