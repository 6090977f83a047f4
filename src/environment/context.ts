import type * as kernel from '../operation/context.ts';
import type { Stores } from '../store/stores.ts';
import type { Services } from './services.ts';

/** What the handlers of Parley's operations work with. */
export interface ParleyEnvironment {
  readonly services: Services;
  /** Bound to the caller's project; a handler cannot reach another one. */
  readonly stores: Stores;
}

/** The context of a handler. */
export type ToolContext = kernel.ToolContext<ParleyEnvironment>;

/** The context of a handler with `transaction: 'own'`: it reads at any time and writes at most once. */
export type OwnTransactionContext = kernel.OwnTransactionContext<ParleyEnvironment>;
