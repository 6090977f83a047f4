import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { SessionContext, useSession } from '../api/session.ts';
import { useChange, useOperation } from '../api/use-operation.ts';
import { Badge } from '../ui/badge.tsx';
import { ActionButton, Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { QueryView } from '../ui/query-view.tsx';
import type { Conversation } from '../versions/conversation.ts';
import { DifferenceList } from '../versions/difference-list.tsx';
import { Drawing } from '../versions/drawing.tsx';
import { GoLiveDialog } from '../versions/go-live-dialog.tsx';
import { authorsSince, whyNotLive } from '../versions/rejection.ts';
import { StepList } from '../versions/step-list.tsx';
import { useDesign, useVersions, type Version } from '../versions/use-versions.ts';
import { VersionSelect } from '../versions/version-select.tsx';
import { apiOverHost } from './api-over-host.ts';
import classes from './design-app.module.css';
import { FlowDesign } from './flow-design.tsx';
import type { Host, Shown, VersionChoice } from './host.ts';

/** The design that a model has drawn or compared, for the person next to it. */
export function DesignApp({ host: connected }: { host: Promise<Host> }) {
  const host = useQuery({ queryKey: ['host'], queryFn: () => connected });
  return (
    <main className={classes.page}>
      <Once query={host}>{(host) => <Connected host={host} />}</Once>
    </main>
  );
}

/** What the host says once: if that fails, it does not help to try again. */
function Once<Data>({ query, children }: Pick<Parameters<typeof QueryView<Data>>[0], 'query' | 'children'>) {
  if (query.error) return <ErrorNotice error={query.error} />;
  return (
    <QueryView query={query} what="the design">
      {children}
    </QueryView>
  );
}

function Connected({ host: { bridge, shown } }: { host: Host }) {
  const api = useMemo(() => apiOverHost(bridge), [bridge]);
  const wanted = useQuery({ queryKey: ['shown'], queryFn: () => shown });
  const key = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => api.call('get_current_key', { details: true }, signal),
  });
  return (
    <QueryView query={key} what="what you may do">
      {({ id, projectId, name, access }) => (
        <SessionContext
          value={{
            api,
            projectId,
            keyId: id,
            keyName: name,
            access: new Set(access),
            signOut: () => undefined,
          }}
        >
          <Once query={wanted}>
            {(shown) =>
              shown.flowId === undefined ? (
                <Found shown={shown} />
              ) : (
                <FlowDesign shown={shown} id={shown.flowId} />
              )
            }
          </Once>
        </SessionContext>
      )}
    </QueryView>
  );
}

function Found({ shown }: { shown: Shown }) {
  const conversation = useOperation('get_conversation', { id: shown.conversationId });
  return (
    <QueryView query={conversation} what="the conversation">
      {(found) => <Versions conversation={found} shown={shown} />}
    </QueryView>
  );
}

interface DesignProps {
  readonly conversation: Conversation;
  readonly shown: Shown;
}

function Versions({ conversation, shown }: DesignProps) {
  const versions = useVersions(conversation.id);
  return (
    <QueryView query={versions} what="the versions">
      {({ versions }) => <ShownVersion conversation={conversation} shown={shown} versions={versions} />}
    </QueryView>
  );
}

function ShownVersion({ conversation, shown, versions }: DesignProps & { versions: readonly Version[] }) {
  const { id, name, activeVersion } = conversation;
  const newest = versions[0]?.n ?? activeVersion;
  const numberOf = (choice: VersionChoice) =>
    choice === 'newest' ? newest : choice === 'active' ? activeVersion : choice;
  const [version, choose] = useState(() => numberOf(shown.version));
  const [against, compareWith] = useState(() =>
    shown.against === undefined ? undefined : numberOf(shown.against),
  );
  const [isActivating, setActivating] = useState(false);
  const isLive = version === activeVersion;
  // The calls were played on the version that the model has drawn.
  const run = version === numberOf(shown.version) && against === undefined ? shown.run : undefined;
  return (
    <>
      <header className={classes.head}>
        <h1 dir="auto">{name}</h1>
        <VersionSelect label="Version" versions={versions} value={version} onChange={choose} />
        {isLive ? <Badge tone="good">live</Badge> : <Badge tone="accent">not live</Badge>}
        <span className={classes.actions}>
          {against !== undefined ? (
            <Button onClick={() => compareWith(undefined)}>Hide the changes</Button>
          ) : (
            !isLive && <Button onClick={() => compareWith(activeVersion)}>Compare with live</Button>
          )}
          {!isLive && (
            <ActionButton needs="publish" variant="primary" onClick={() => setActivating(true)}>
              {version < activeVersion ? 'Roll back…' : 'Make live…'}
            </ActionButton>
          )}
        </span>
      </header>
      <Design
        id={id}
        version={version}
        against={against === version ? undefined : against}
        run={run}
        newest={newest}
        onSaved={choose}
      />
      {isActivating && (
        <Activation conversation={conversation} version={version} onClose={() => setActivating(false)} />
      )}
    </>
  );
}

interface VersionProps {
  readonly id: string;
  readonly version: number;
  readonly against: number | undefined;
  readonly run: object | undefined;
  readonly newest: number;
  readonly onSaved: (n: number) => void;
}

function Design({ id, version, against, run, newest, onSaved }: VersionProps) {
  const design = useDesign(id, version);
  const drawing = useDrawing(id, version, against, run);
  const [parameters, setParameters] = useSearchParams();
  const selected = parameters.get('step') ?? undefined;
  const select = (step: string | undefined) => setParameters(step === undefined ? {} : { step });
  return (
    <div className={classes.columns}>
      <QueryView query={drawing} what="the drawing">
        {(picture) =>
          picture.kind === 'svg' ? (
            <Drawing
              svg={picture.text}
              label={labelOf(version, against, run)}
              selected={selected === undefined ? undefined : `step ${selected}`}
              onSelect={(place) => {
                if (place.startsWith('step ')) select(place.slice('step '.length));
              }}
            />
          ) : (
            <img className={classes.picture} src={picture.address} alt={labelOf(version, against, run)} />
          )
        }
      </QueryView>
      <div className={classes.words}>
        {against !== undefined && (
          <section aria-labelledby="changes">
            <h2 id="changes">
              What changed from version {against} to version {version}
            </h2>
            <DifferenceList id={id} from={against} to={version} />
          </section>
        )}
        <QueryView query={design} what="the steps">
          {(document) => (
            <StepList
              design={document}
              editing={{ id, version, newest, onSaved }}
              selected={selected}
              onSelect={select}
            />
          )}
        </QueryView>
      </div>
    </div>
  );
}

function labelOf(version: number, against: number | undefined, run: object | undefined): string {
  if (against !== undefined)
    return `Version ${version} with what differs from version ${against} in colour. The list says the same in words.`;
  if (run) return `Version ${version} with the way of the call.`;
  return `Drawing of version ${version}. The list of steps says the same in words.`;
}

/** A drawing that can be clicked, or a picture if the drawing is too long for a result of MCP. */
type Picture =
  | { readonly kind: 'svg'; readonly text: string }
  | { readonly kind: 'png'; readonly address: string };

function useDrawing(id: string, n: number, against: number | undefined, run: object | undefined) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['draw_design', id, n, against, run],
    async queryFn({ signal }): Promise<Picture> {
      const draw = (format: 'svg' | 'png') =>
        api.fetch('draw_design', { id, n, ...(against && { against }), ...(run && { run }), format }, signal);
      const drawing = await draw('svg');
      if (drawing.headers.get('content-type') === 'image/svg+xml')
        return { kind: 'svg', text: await drawing.text() };
      return { kind: 'png', address: await dataUrl(await (await draw('png')).blob()) };
    },
  });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () =>
      reject(new Error('The picture cannot be read.', { cause: reader.error })),
    );
    reader.readAsDataURL(blob);
  });
}

interface ActivationProps {
  readonly conversation: Conversation;
  readonly version: number;
  readonly onClose: () => void;
}

/** Asks before a version goes live, with what callers will notice. */
function Activation({ conversation: { id, activeVersion }, version, onClose }: ActivationProps) {
  const activation = useChange('activate_conversation_version');
  const versions = useVersions(id).data?.versions ?? [];
  const chosen = versions.find(({ n }) => n === version);
  const authored = versions.map(({ n, author }) => ({ number: n, author }));
  return (
    <GoLiveDialog
      id={id}
      version={version}
      live={activeVersion}
      authors={authorsSince(authored, activeVersion, version)}
      refusal={whyNotLive(version, chosen)}
      differences={<DifferenceList id={id} from={activeVersion} to={version} />}
      isBusy={activation.isPending}
      error={activation.error}
      activate={(onDone) => activation.mutate({ id, n: version }, { onSuccess: onDone })}
      onClose={onClose}
    />
  );
}
