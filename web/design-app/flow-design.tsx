import { useState } from 'react';
import type { Design } from '../api/operations.ts';
import { useOperation, useText } from '../api/use-operation.ts';
import { QueryView } from '../ui/query-view.tsx';
import { Drawing } from '../versions/drawing.tsx';
import { StepList } from '../versions/step-list.tsx';
import classes from './design-app.module.css';
import type { Shown } from './host.ts';

interface FlowDesignProps {
  /** The id or the name of the flow. */
  readonly id: string;
  readonly shown: Shown;
}

/** The design that a flow becomes, which follows from its configuration and cannot be changed here. */
export function FlowDesign({ id: flowId, shown: { version: wanted, against, run } }: FlowDesignProps) {
  // On MCP, both operations take a word for the version.
  const version = wanted as number;
  const drawing = useText('draw_flow', {
    flowId,
    version,
    format: 'svg',
    ...(against !== undefined && { against: against as number }),
    ...(run && { run }),
  });
  const read = useOperation('read_flow_design', { flowId, version });
  const [selected, select] = useState<string>();
  return (
    <div className={classes.columns}>
      <QueryView query={drawing} what="the drawing">
        {(svg) => (
          <Drawing
            svg={svg}
            label="The flow as calls play it. The list of steps says the same in words."
            selected={selected === undefined ? undefined : `step ${selected}`}
            onSelect={(place) => {
              if (place.startsWith('step ')) select(place.slice('step '.length));
            }}
          />
        )}
      </QueryView>
      <QueryView query={read} what="the steps">
        {(answer) => {
          const { design } = answer as { readonly design: Design | null };
          return design && <StepList design={design} selected={selected} onSelect={select} />;
        }}
      </QueryView>
    </div>
  );
}
