import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { CloseIcon } from './icons.tsx';
import classes from './toasts.module.css';

/** Says for five seconds what has been done, or for fifteen if it has links. Screen readers hear it. */
export function useToast(): (text: ReactNode) => void {
  const { add } = Toast.useToastManager();
  return (text) => void add({ description: text, ...(typeof text !== 'string' && { timeout: 15_000 }) });
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={classes.viewport}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={classes.toast} aria-label="Message">
      <Toast.Content className={classes.content}>
        <Toast.Description className={classes.text} />
        <Toast.Close className={classes.close} aria-label="Close">
          <CloseIcon />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
