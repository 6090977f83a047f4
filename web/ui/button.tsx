import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import { type Access, useRefusal } from '../api/session.ts';
import classes from './button.module.css';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> {
  readonly variant?: 'normal' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'medium' | 'small' | 'large';
  /** Why it cannot be pressed now. It stays in the tab order and says the reason. */
  readonly refusal?: string | undefined;
  /** True while the work that it started goes on. */
  readonly isBusy?: boolean;
  readonly icon?: ReactNode;
}

export function Button({
  variant = 'normal',
  size = 'medium',
  type = 'button',
  refusal,
  isBusy = false,
  icon,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isOff = refusal !== undefined || isBusy;
  const button = (
    <button
      {...rest}
      type={type}
      className={classNames(classes.button, classes[variant], classes[size])}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? <span className={classes.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  );
  return refusal === undefined ? button : <Tooltip text={refusal}>{button}</Tooltip>;
}

/**
 * A button for something that not every key may do. It says which access is missing. It ignores the second click of a
 * double click: the first may have been meant for what stood there before.
 */
export function ActionButton({ needs, refusal, onClick, ...rest }: ButtonProps & { readonly needs: Access }) {
  const missing = useRefusal(needs);
  return (
    <Button
      {...rest}
      refusal={missing ?? refusal}
      onClick={(event) => {
        if (event.detail <= 1) onClick?.(event);
      }}
    />
  );
}

/** A link that leads to the next thing to do, as prominent as a button. */
export function ButtonLink({
  href,
  variant = 'normal',
  children,
  ...rest
}: Pick<ButtonProps, 'variant' | 'children' | 'aria-label'> & { readonly href: string }) {
  return (
    <Link {...rest} href={href} className={classNames(classes.button, classes[variant], classes.medium)}>
      {children}
    </Link>
  );
}
