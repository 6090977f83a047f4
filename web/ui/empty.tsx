import type { ReactNode } from 'react';
import classes from './empty.module.css';

/** Says that there is nothing yet, and what would make something. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <h2>{title}</h2>
      {children && <div className={classes.text}>{children}</div>}
    </div>
  );
}
