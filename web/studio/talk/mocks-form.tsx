import { type FormEvent, useState } from 'react';
import type { Design } from '../../api/operations.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { hookNodesOf, type Mocks } from '../calls/played-call.ts';
import classes from './talk.module.css';
import type { Call } from './use-call.ts';

type CalendarMocks = NonNullable<Mocks['calendars']>;
type NodeMock = NonNullable<Mocks['nodes']>[string];

/** What is typed for one hook node. */
interface TypedMock {
  readonly kind: 'none' | 'response' | 'contact' | 'failure';
  readonly status: string;
  /** JSON: the body of a response, or a contact. */
  readonly content: string;
}

const untyped: TypedMock = { kind: 'none', status: '200', content: '{}' };

/** Asks what other systems respond. Then the call is played again. */
export function MocksForm({ design, call }: { design: Design; call: Call }) {
  const nodes = Object.entries(hookNodesOf(design)).filter(
    ([, { fetch, webhook, sendSms, crmLookup, crmWrite }]) =>
      fetch ?? webhook ?? sendSms ?? crmLookup ?? crmWrite,
  );
  const [typed, setTyped] = useState<Readonly<Record<string, TypedMock>>>(() => typedOf(call.mocks));
  const calendars = calendarsOf(design);
  const [scripted, setScripted] = useState<CalendarMocks>(call.mocks.calendars ?? {});
  if (nodes.length === 0 && calendars.length === 0) return null;
  const problems = new Map(
    nodes.flatMap(([id]) => {
      const problem = problemOf(typed[id] ?? untyped);
      return problem === undefined ? [] : [[id, problem] as const];
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problems.size > 0) return;
    const given = nodes.flatMap(([id]) => {
      const mock = mockOf(typed[id] ?? untyped);
      return mock ? [[id, mock] as const] : [];
    });
    const { transfers } = call.mocks;
    call.replay({
      ...(given.length > 0 && { nodes: Object.fromEntries(given) }),
      ...(Object.keys(scripted).length > 0 && { calendars: scripted }),
      ...(transfers !== undefined && { transfers }),
    });
  };
  return (
    <form className={classes.mocks} onSubmit={submit}>
      <h3>What other systems respond</h3>
      {nodes.map(([id, node]) => {
        const mock = typed[id] ?? untyped;
        const change = (changed: Partial<TypedMock>) => setTyped({ ...typed, [id]: { ...mock, ...changed } });
        return (
          <fieldset key={id} className={classes.mock}>
            <legend>{node.name ?? id}</legend>
            <SelectField
              label="Response"
              value={mock.kind}
              options={[
                { value: 'none', label: 'None: the request fails' },
                node.crmLookup
                  ? { value: 'contact', label: 'A contact' }
                  : { value: 'response', label: 'A response' },
                { value: 'failure', label: 'A failure' },
              ]}
              onChange={(kind) => change({ kind })}
            />
            {mock.kind === 'response' && (
              <TextField
                label="Status"
                inputMode="numeric"
                value={mock.status}
                onChange={(status) => change({ status })}
              />
            )}
            {(mock.kind === 'response' || mock.kind === 'contact') && (
              <TextArea
                label={mock.kind === 'contact' ? 'Contact, as JSON (null: not known)' : 'Body, as JSON'}
                rows={4}
                spellCheck={false}
                value={mock.content}
                error={problems.get(id)}
                onChange={(content) => change({ content })}
              />
            )}
          </fieldset>
        );
      })}
      {calendars.map(([id, name]) => (
        <fieldset key={id} className={classes.mock}>
          <legend>{name}</legend>
          <SelectField
            label="Calendar"
            value={typeof scripted[id] === 'string' ? scripted[id] : 'free'}
            options={[
              { value: 'free', label: 'Has what the caller wants' },
              { value: 'taken', label: 'The time is taken' },
              { value: 'none', label: 'Has nothing' },
              { value: 'fail', label: 'Cannot be reached' },
            ]}
            onChange={(mock) => setScripted({ ...scripted, [id]: mock })}
          />
        </fieldset>
      ))}
      <Button
        type="submit"
        size="small"
        refusal={problems.size > 0 ? 'Correct what is marked first.' : undefined}
        isBusy={call.isPlaying}
      >
        Play the call again with this
      </Button>
    </form>
  );
}

/** The steps and hook nodes that use a calendar, with what people call them. */
function calendarsOf(design: Design): [id: string, name: string][] {
  const places = [
    ...Object.entries(design.steps).filter(([, { kind }]) => kind === 'appointment'),
    ...Object.entries(hookNodesOf(design)).filter(([, { calendar }]) => calendar !== undefined),
  ];
  return places.map(([id, { name }]) => [id, name ?? id]);
}

function problemOf({ kind, status, content }: TypedMock): string | undefined {
  if (kind === 'none' || kind === 'failure') return undefined;
  if (kind === 'response' && !/^[1-5]\d\d$/.test(status)) return 'The status is a number from 100 to 599.';
  const value = parsed(content);
  if (value === undefined) return 'This is not JSON. Texts need quotes.';
  return kind === 'contact' && (typeof value !== 'object' || Array.isArray(value))
    ? 'A contact is a JSON object, or null.'
    : undefined;
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function mockOf({ kind, status, content }: TypedMock): NodeMock | undefined {
  switch (kind) {
    case 'none':
      return undefined;
    case 'failure':
      return { fail: 'it cannot be reached' };
    case 'contact':
      return { contact: parsed(content) as Record<string, unknown> | null };
    case 'response':
      return { status: Number(status), body: parsed(content) };
  }
}

function typedOf({ nodes = {} }: Mocks): Readonly<Record<string, TypedMock>> {
  return Object.fromEntries(
    Object.entries(nodes).map(([id, mock]): [string, TypedMock] => {
      if (mock.fail !== undefined) return [id, { ...untyped, kind: 'failure' }];
      if (mock.contact !== undefined)
        return [id, { ...untyped, kind: 'contact', content: JSON.stringify(mock.contact, null, 2) }];
      const { status = 200, body = {} } = mock;
      return [id, { kind: 'response', status: String(status), content: JSON.stringify(body, null, 2) }];
    }),
  );
}
