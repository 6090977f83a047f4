import { ApiError } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import classes from './notice.module.css';

/** Says what went wrong, and offers to try again. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div role="alert" className={classNames(classes.notice, classes.danger)}>
      <p>
        {error.message}
        {error instanceof ApiError && error.issues.length > 0 && (
          <> {error.issues.map(({ message }) => message).join(' ')}</>
        )}
      </p>
      {requestId !== undefined && <p className={classes.fine}>Request {requestId}</p>}
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
