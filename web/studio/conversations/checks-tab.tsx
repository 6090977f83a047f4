import { useState } from 'react';
import type { Output } from '../../api/client.ts';
import type { Design } from '../../api/operations.ts';
import { useOperation, useText } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { Drawing } from '../../versions/drawing.tsx';
import { exitWord, optionName, stepName } from '../../versions/step-lines.ts';
import { useDesign, useVersionInAddress, useVersions } from '../../versions/use-versions.ts';
import { VersionSelect } from '../../versions/version-select.tsx';
import classes from './checks-tab.module.css';

/** What is wrong with a version, and what has been proved of every call through it. */
export default function ChecksTab({ conversation: { id, activeVersion } }: { conversation: Conversation }) {
  const versions = useVersions(id);
  const [chosen, choose] = useVersionInAddress('version');
  return (
    <QueryView query={versions} what="the versions">
      {({ versions }) => {
        const n = chosen ?? versions[0]?.n ?? activeVersion;
        return (
          <>
            <div className={classes.bar}>
              <VersionSelect label="Version" versions={versions} value={n} onChange={choose} />
            </div>
            <Problems id={id} n={n} />
            <Proofs key={n} id={id} n={n} />
          </>
        );
      }}
    </QueryView>
  );
}

/** An edit that changes nothing is checked like any other. */
export const noEdit = {};

function Problems({ id, n }: { id: string; n: number }) {
  const validation = useOperation('validate_design', { id, version: n, merge: noEdit });
  return (
    <section aria-labelledby="problems" className={classes.section}>
      <h2 id="problems">Problems</h2>
      <QueryView query={validation} what="the problems">
        {({ problems }) =>
          problems.length === 0 ? (
            <p className={classes.good}>
              <CheckIcon /> No problems found.
            </p>
          ) : (
            <ul className={classes.items}>
              {problems.map(({ code, severity, path, message, stepId }) => (
                <li key={`${code} ${path}`}>
                  <Badge tone={severity === 'error' ? 'danger' : 'warning'}>{severity}</Badge>
                  <div>
                    <p className={classes.title}>
                      <MarkedText text={message} />
                    </p>
                    {stepId !== '' && <p className={classes.place}>In step {stepId}</p>}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}

type Proof = Output<'prove_design'>['versions'][number]['proofs'][number];

const names: Readonly<Record<string, string>> = {
  everyPathEnds: 'Every call can end',
  asksOnce: 'No call asks for the same thing twice',
  disclosedBeforeCollecting: 'Callers learn that an AI speaks before it asks them for anything',
  disclosedFirst: 'Callers learn that an AI speaks before anything else happens',
  consentBeforeTranscript: 'No transcript leaves without the consent of the caller',
};

function Proofs({ id, n }: { id: string; n: number }) {
  const proofs = useOperation('prove_design', { id, version: n });
  const [shown, setShown] = useState<number>();
  return (
    <section aria-labelledby="proofs" className={classes.section}>
      <h2 id="proofs">Proofs</h2>
      <p className={classes.about}>
        Each holds for every possible call, or comes with the shortest call that breaks it.
      </p>
      <QueryView query={proofs} what="the proofs">
        {({ versions }) => (
          <ul className={classes.items}>
            {versions
              .flatMap((proved) => proved.proofs)
              .map((proof, index) => (
                <li key={proof.property.property}>
                  {proof.holds ? <Badge tone="good">holds</Badge> : <Badge tone="danger">broken</Badge>}
                  <div>
                    <p className={classes.title}>
                      {names[proof.property.property] ?? proof.property.property}
                    </p>
                    <p className={classes.place}>
                      <MarkedText text={proof.message} />
                    </p>
                    {proof.counterexample && (
                      <>
                        <Button
                          size="small"
                          aria-expanded={shown === index}
                          icon={<WarningIcon />}
                          onClick={() => setShown(shown === index ? undefined : index)}
                        >
                          {shown === index ? 'Hide the call' : 'Show the call'}
                        </Button>
                        {shown === index && <Counterexample id={id} n={n} exits={proof.counterexample} />}
                      </>
                    )}
                  </div>
                </li>
              ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

interface CounterexampleProps {
  readonly id: string;
  readonly n: number;
  readonly exits: NonNullable<Proof['counterexample']>;
}

function exitOf(design: Design | undefined, id: string, exit: string): string {
  const step = design?.steps[id];
  return exitWord(step ? optionName(step, exit) : exit);
}

/** The shortest call that breaks a property, in words and drawn. */
function Counterexample({ id, n, exits }: CounterexampleProps) {
  const drawing = useText('draw_design', { id, n, format: 'svg' });
  const design = useDesign(id, n).data;
  return (
    <>
      <ol className={classes.call}>
        {exits.map(({ at, id: place, exit }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call may pass a place twice
          <li key={index}>
            <bdi>{design && at === 'step' ? stepName(design, place) : place}</bdi>
            {at !== 'step' && ` (${at} the call)`}
            {exit !== null && <span className={classes.place}> → {exitOf(design, place, exit)}</span>}
          </li>
        ))}
      </ol>
      <QueryView query={drawing} what="the drawing">
        {(svg) => (
          <Drawing
            svg={svg}
            label="The call of the list above, drawn over the design."
            path={exits.map(({ at, id: place }) => `${at} ${place}`)}
          />
        )}
      </QueryView>
    </>
  );
}
