import { useState } from 'react';
import { Empty } from '../../ui/empty.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Drawing } from '../../versions/drawing.tsx';
import { StepList } from '../../versions/step-list.tsx';
import { useDrawing } from '../calls/run-drawing.tsx';
import columns from '../conversations/design-tab.module.css';
import classes from './flow-design-tab.module.css';
import { Meaningless } from './meaningless.tsx';
import { type FlowDesign, useFlowDesign } from './use-flow-design.ts';
import type { FlowTabProps } from './use-flow-versions.ts';

/** The design that the newest version becomes: a drawing, its steps with where they come from, and what has no meaning. */
export default function FlowDesignTab({ flow, newest }: FlowTabProps) {
  const read = useFlowDesign(flow.id, newest.version);
  return (
    <QueryView query={read} what="the design">
      {(compiled) => (
        <>
          <div className={classes.bar}>
            <p>
              Calls play version {newest.version} as these steps. They follow from the configuration, so
              change that.
            </p>
            <Meaningless parts={compiled.meaningless} />
          </div>
          {compiled.design ? (
            <Steps flowId={flow.id} version={newest.version} compiled={compiled} design={compiled.design} />
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

interface StepsProps {
  readonly flowId: string;
  readonly version: number;
  readonly compiled: FlowDesign;
  readonly design: NonNullable<FlowDesign['design']>;
}

function Steps({ flowId, version, compiled: { sources }, design }: StepsProps) {
  const drawing = useDrawing({ kind: 'flow', id: flowId }, version);
  const [selected, select] = useState<string>();
  return (
    <div className={columns.columns}>
      <QueryView query={drawing} what="the drawing">
        {(svg) => (
          <Drawing
            svg={svg}
            label={`Drawing of version ${version}. The list of steps says the same in words.`}
            selected={selected === undefined ? undefined : `step ${selected}`}
            onSelect={(place) => {
              if (place.startsWith('step ')) select(place.slice('step '.length));
            }}
          />
        )}
      </QueryView>
      <StepList
        design={design}
        selected={selected}
        onSelect={select}
        originOf={(stepId) => {
          const source = sources[stepId];
          return source === undefined ? 'Parley adds this step.' : `Made of ${source} of the flow.`;
        }}
      />
    </div>
  );
}
