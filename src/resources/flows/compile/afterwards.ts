import type { Design } from '../../../design/schema/design.ts';
import { afterCall, collected, ofCall, postToWebhook, textCaller, textTeam } from '../../catalogue/hooks.ts';
import type { Question } from './questions.ts';
import type { Skills } from './skills.ts';

/**
 * What the skills of a flow do after a call: post the answers, and send a text message.
 * @param endedAt the step at which calls end that have brought what the flow wants
 */
export function afterwards(
  { webhook, sms }: Skills,
  questions: readonly Question[],
  endedAt: string,
): NonNullable<Design['hooks']> {
  const text = sms && textNode(sms);
  const first = webhook === undefined ? (text ? 'text' : undefined) : 'post';
  if (first === undefined) return {};
  return afterCall(
    { [endedAt]: first },
    {
      ...(webhook !== undefined && {
        post: {
          ...postToWebhook('Post the answers', webhook, [
            ...questions.map(({ id }) => collected(id, id, id)),
            ofCall('callerPhone', 'callerPhone', 'callerPhone'),
            ofCall('callStartedAt', 'callStartedAt', 'callStartedAt'),
          ]),
          ...(text && { next: { hookNode: 'text' } }),
        },
      }),
      ...(text && { text }),
    },
  );
}

function textNode({ to, text }: NonNullable<Skills['sms']>) {
  return to === undefined ? textCaller('Text the caller', text) : textTeam('Send a text', text, { to });
}
