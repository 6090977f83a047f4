import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import classes from './tab-links.module.css';

interface TabLinksProps {
  /** What the tabs are parts of, for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly path: string; readonly label: string }[];
  /** The address of the tab whose path is empty. */
  readonly base: string;
  /** The path of the open tab. */
  readonly open: string;
}

/** The parts of a page, each with an address of its own. On a phone, the open one is scrolled into sight. */
export function TabLinks({ label, tabs, base, open }: TabLinksProps) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return (
    <nav ref={nav} aria-label={label} className={classes.tabs}>
      {tabs.map(({ path, label }) => (
        <Link
          key={path}
          href={`${base}${path && `/${path}`}`}
          aria-current={path === open ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
