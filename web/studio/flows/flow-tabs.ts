import { type ComponentType, lazy } from 'react';
import type { Output } from '../api/client.ts';
import type { CurrentVersions } from './use-flow-versions.ts';

/** What a tab shows: the flow, its newest version and the live one. */
export interface FlowTabProps extends CurrentVersions {
  readonly flow: Output<'get_flow'>;
}

interface FlowTab {
  /** Below `/flows/{flowId}`; the first tab has none. */
  readonly path: string;
  readonly label: string;
  readonly component: ComponentType<FlowTabProps>;
}

/** The parts of a flow's page. Each is loaded when it is opened. */
export const flowTabs: readonly FlowTab[] = [
  { path: '', label: 'Configuration', component: lazy(() => import('./configuration-tab.tsx')) },
  { path: 'changes', label: 'Changes', component: lazy(() => import('./flow-changes-tab.tsx')) },
  { path: 'versions', label: 'Versions', component: lazy(() => import('./flow-versions-tab.tsx')) },
];
