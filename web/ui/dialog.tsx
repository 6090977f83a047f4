import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { CloseIcon } from './icons.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** What went wrong. It stays in sight, however far the rest is scrolled. */
  readonly notice?: ReactNode;
  /** The buttons that end it, the most important one last. */
  readonly actions?: ReactNode;
}

/** A window over the page. It keeps the focus until it is closed, and gives it back to where it was. */
export function Dialog({ title, isOpen, onClose, children, notice, actions }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={classes.backdrop} />
        <Base.Popup className={classes.popup}>
          <div className={classes.head}>
            <Base.Title className={classes.title}>{title}</Base.Title>
            <Base.Close className={classes.close} aria-label="Close">
              <CloseIcon />
            </Base.Close>
          </div>
          <div className={classes.body}>{children}</div>
          {notice && <div className={classes.notice}>{notice}</div>}
          {actions && <div className={classes.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
