import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** What stands next to the title, such as a link to more of the same. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with its own title. */
export function Card({ title, about, aside, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.card}>
      <div className={classes.head}>
        <h2 id={id} dir="auto">
          {title}
        </h2>
        {aside}
      </div>
      {about && <p className={classes.about}>{about}</p>}
      {children}
    </section>
  );
}

/** What a card says if it has nothing to show. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className={classes.nothing}>{children}</p>;
}
