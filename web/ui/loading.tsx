import classes from './loading.module.css';

/** Grey lines in place of what is being read. */
export function Loading({ what, lines = 4 }: { what: string; lines?: number }) {
  return (
    <div className={classes.loading} role="status">
      <span className="visually-hidden">Loading {what}…</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
        <span key={index} className={classes.line} />
      ))}
    </div>
  );
}
