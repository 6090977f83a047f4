import { useRefusal } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { useDesign, useVersionInAddress, useVersions } from '../../versions/use-versions.ts';
import { VersionSelect } from '../../versions/version-select.tsx';
import { LiveBadge } from '../activation/live-badge.tsx';
import { LiveCallSection } from '../live-call/live-call.tsx';
import { CallView } from './call-view.tsx';
import classes from './talk.module.css';

/** A call to the live version, and rehearsals with any version. */
export default function TalkTab({ conversation }: { conversation: Conversation }) {
  return (
    <LiveCallSection conversation={conversation}>
      <Rehearsal conversation={conversation} />
    </LiveCallSection>
  );
}

/** Plays the caller of a version, a turn at a time. Nothing is sent and nothing is stored. */
function Rehearsal({ conversation }: { conversation: Conversation }) {
  const { id, activeVersion } = conversation;
  const refusal = useRefusal('draft');
  const versions = useVersions(id);
  const [chosen, choose] = useVersionInAddress('version');
  if (refusal !== undefined) return <Empty title="This key may not play calls">{refusal}</Empty>;
  return (
    <QueryView query={versions} what="the versions">
      {({ versions }) => {
        const version = chosen ?? versions[0]?.n ?? activeVersion;
        return (
          <>
            <div className={classes.bar}>
              <VersionSelect label="Talk to" versions={versions} value={version} onChange={choose} />
              {version === activeVersion ? <LiveBadge id={id} /> : <Badge tone="accent">not live</Badge>}
              <span className={classes.muted}>A rehearsal: nothing is sent, and nobody is called.</span>
            </div>
            <Understanding />
            <VersionCall key={version} conversation={conversation} version={version} />
          </>
        );
      }}
    </QueryView>
  );
}

/** Says how a caller's words are understood. */
export function Understanding() {
  return (
    <p className={classes.understanding}>
      Your words are understood as in the chats and calls that Parley runs: by a language model if this server
      has one for them, otherwise by a simple rule, which knows the words of options, yes and no, numbers and
      dates. A model understands more. Each turn says which.
    </p>
  );
}

function VersionCall({ conversation, version }: { conversation: Conversation; version: number }) {
  const design = useDesign(conversation.id, version);
  return (
    <QueryView query={design} what="the version">
      {(read) =>
        read && (
          <CallView
            of={{ kind: 'conversation', id: conversation.id }}
            version={version}
            design={read}
            agentProfileId={conversation.agentId}
            conversation={conversation}
          />
        )
      }
    </QueryView>
  );
}
