import { Tooltip as Base } from '@base-ui/react/tooltip';
import { type ReactElement, useId } from 'react';
import classes from './tooltip.module.css';

/** Shows a text next to a control on hover and focus, and gives it to screen readers as the control's description. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  const id = useId();
  return (
    <>
      <Base.Root>
        <Base.Trigger render={children} delay={200} aria-describedby={id} />
        <Base.Portal>
          <Base.Positioner sideOffset={6} className={classes.positioner}>
            <Base.Popup className={classes.popup}>{text}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      <span id={id} hidden>
        {text}
      </span>
    </>
  );
}
