import type { ReactNode } from 'react';

/** A link to a website, which opens in a tab of its own and learns nothing about this page. Only http and https lead anywhere. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <bdi>{children}</bdi>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
      {children}
    </a>
  );
}
