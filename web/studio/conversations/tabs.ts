import { type ComponentType, lazy } from 'react';
import type { Conversation } from '../../versions/conversation.ts';

/** A part of a conversation's page. */
interface Tab {
  /** Below `/conversations/{id}`; the first tab has none. */
  readonly path: string;
  readonly label: string;
  readonly component: ComponentType<{ conversation: Conversation }>;
}

/** Every tab, in their order. Each is loaded when it is opened. */
export const tabs: readonly Tab[] = [
  { path: '', label: 'Design', component: lazy(() => import('./design-tab.tsx')) },
  { path: 'changes', label: 'Changes', component: lazy(() => import('./changes-tab.tsx')) },
  { path: 'checks', label: 'Checks', component: lazy(() => import('./checks-tab.tsx')) },
  { path: 'talk', label: 'Talk', component: lazy(() => import('../talk/talk-tab.tsx')) },
  { path: 'scenarios', label: 'Scenarios', component: lazy(() => import('../scenarios/scenarios-tab.tsx')) },
  { path: 'sessions', label: 'Sessions', component: lazy(() => import('../sessions/sessions-tab.tsx')) },
  { path: 'versions', label: 'Versions', component: lazy(() => import('./versions-tab.tsx')) },
];
