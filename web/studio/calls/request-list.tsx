import type { Design } from '../../api/operations.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import facts from './facts.module.css';
import { placeName, type Report } from './played-call.ts';

const results = {
  mocked: ['mocked', 'good'],
  sent: ['sent', 'good'],
  failed: ['failed', 'danger'],
  unmocked: ['not sent: no response given', 'warning'],
} as const;

const blocks: Readonly<Record<string, string>> = {
  sendSms: 'Text message',
  crmLookup: 'Lookup of the caller',
  crmWrite: 'Change of the customer records',
  calendar: 'Calendar',
};

/** What a call would have sent, as it would be sent. */
export function RequestList({ design, requests }: { design: Design; requests: Report['requests'] }) {
  if (requests.length === 0) return <p className={facts.muted}>The call has sent nothing.</p>;
  return (
    <ul className={classNames(facts.list, facts.plain)}>
      {requests.map((request, index) => {
        const { node, result, ...content } = request;
        const [word, tone] = results[result];
        const { block, method, url } = content as Readonly<Record<string, string | undefined>>;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: requests are only added at the end
          <li key={index}>
            <span className={facts.name}>{placeName(design, { hookNode: node })}</span>{' '}
            <Badge tone={tone}>{word}</Badge>
            <details>
              <summary>{url === undefined ? (blocks[block ?? ''] ?? block) : `${method} ${url}`}</summary>
              <pre className={facts.json}>{JSON.stringify(content, null, 2)}</pre>
            </details>
          </li>
        );
      })}
    </ul>
  );
}
