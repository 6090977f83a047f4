import { type ComponentType, lazy } from 'react';
import type { FlowTabProps } from './use-flow-versions.ts';

interface FlowTab {
  /** Below `/flows/{flowId}`; the first tab has none. */
  readonly path: string;
  readonly label: string;
  readonly component: ComponentType<FlowTabProps>;
}

/** The parts of a flow's page. Each is loaded when it is opened. */
export const flowTabs: readonly FlowTab[] = [
  { path: '', label: 'Configuration', component: lazy(() => import('./configuration-tab.tsx')) },
  { path: 'try', label: 'Try it', component: lazy(() => import('./try-tab.tsx')) },
  { path: 'design', label: 'As a design', component: lazy(() => import('./flow-design-tab.tsx')) },
  { path: 'changes', label: 'Changes', component: lazy(() => import('./flow-changes-tab.tsx')) },
  { path: 'versions', label: 'Versions', component: lazy(() => import('./flow-versions-tab.tsx')) },
];
