import type { ReactNode } from 'react';
import classes from './badge.module.css';
import { classNames } from './class-names.ts';

/** A state in a word. The word says all of it; the colour only helps to find it. */
export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'accent' | 'good' | 'warning' | 'danger';
  children: ReactNode;
}) {
  return <span className={classNames(classes.badge, classes[tone])}>{children}</span>;
}
