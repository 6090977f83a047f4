import { Notice } from '../../ui/notice.tsx';
import classes from './flow-design-tab.module.css';
import type { FlowDesign } from './use-flow-design.ts';

/** Lists the parts of a flow that mean nothing to a call. */
export function Meaningless({ parts }: { parts: FlowDesign['meaningless'] }) {
  if (parts.length === 0) return null;
  return (
    <Notice label="What has no meaning" tone="warning">
      <div>
        <p className={classes.listed}>
          {parts.length === 1 ? 'One part of this flow means' : `${parts.length} parts of this flow mean`}{' '}
          nothing to a call:
        </p>
        <ul className={classes.listed}>
          {parts.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  );
}
