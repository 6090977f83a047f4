import { useRefusal } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { CallView } from '../talk/call-view.tsx';
import talk from '../talk/talk.module.css';
import { Understanding } from '../talk/talk-tab.tsx';
import { Meaningless } from './meaningless.tsx';
import { useFlowDesign } from './use-flow-design.ts';
import type { FlowTabProps } from './use-flow-versions.ts';

/** Plays the caller of the newest version, a turn at a time. Nothing is sent and nothing is stored. */
export default function TryTab({ flow, newest, live }: FlowTabProps) {
  const refusal = useRefusal('draft');
  const read = useFlowDesign(flow.id, newest.version);
  if (refusal !== undefined) return <Empty title="This key may not play calls">{refusal}</Empty>;
  return (
    <QueryView query={read} what="the design">
      {({ design, meaningless }) => (
        <>
          <div className={talk.bar}>
            <span>Version {newest.version}</span>
            {newest.version === live?.version ? (
              <Badge tone="good">live</Badge>
            ) : (
              <Badge tone="accent">not live</Badge>
            )}
            <span className={talk.muted}>A rehearsal: nothing is sent, and nobody is called.</span>
          </div>
          <Understanding />
          <Meaningless parts={meaningless} />
          {design ? (
            <CallView
              key={newest.version}
              of={{ kind: 'flow', id: flow.id }}
              version={newest.version}
              design={design}
              agentProfileId={flow.agentProfileId}
            />
          ) : (
            <Empty title="Nothing in this flow says what happens in a call">
              Give its nodes a type and a text: say, question, condition, answer, transfer or end.
            </Empty>
          )}
        </>
      )}
    </QueryView>
  );
}
