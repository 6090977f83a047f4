import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  /** The page that this one belongs to. */
  readonly parent?: { readonly label: string; readonly href: string };
  readonly about?: ReactNode;
  /** The buttons of the page. */
  readonly children?: ReactNode;
}

/** The title of a page, which is also the title of the tab. */
export function PageHeader({ title, parent, about, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <title>{`${title} · Parley Studio`}</title>
      <div className={classes.words}>
        {parent && (
          <Link href={parent.href} className={classes.parent}>
            {parent.label}
          </Link>
        )}
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {about && <p>{typeof about === 'string' ? <bdi>{about}</bdi> : about}</p>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </header>
  );
}
