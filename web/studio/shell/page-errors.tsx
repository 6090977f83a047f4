import { Component, type ReactNode } from 'react';
import { ErrorNotice } from '../../ui/error-notice.tsx';

/** Shows what went wrong instead of a page that threw, so that the menu keeps working. */
export class PageErrors extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state = { error: undefined };

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <ErrorNotice error={error} onRetry={() => globalThis.location.reload()} />;
  }
}
