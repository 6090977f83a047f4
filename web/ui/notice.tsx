import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import classes from './notice.module.css';

interface NoticeProps {
  /** What it is about, for screen readers. */
  readonly label: string;
  readonly tone: 'accent' | 'warning';
  readonly children: ReactNode;
}

/** Says above a page how things stand, with what to do about it. */
export function Notice({ label, tone, children }: NoticeProps) {
  return (
    <aside aria-label={label} className={classNames(classes.notice, classes.standing, classes[tone])}>
      {children}
    </aside>
  );
}
