import { type ComponentType, lazy } from 'react';
import {
  ChartIcon,
  ConversationIcon,
  FlowIcon,
  HistoryIcon,
  HomeIcon,
  KeyIcon,
  KnowledgeIcon,
  PhoneIcon,
  SessionIcon,
  TrashIcon,
  WebsiteIcon,
} from '../../ui/icons.tsx';

/** A page of the Studio. */
export interface Page {
  /** Below `/studio`, with parameters as in `/conversations/:id`; the page gets them as `params`. */
  readonly path: string;
  readonly component: ComponentType<{ params: Readonly<Record<string, string>> }>;
  /** Its line in the menu. Undefined: other pages lead to it. */
  readonly menu?: { readonly label: string; readonly icon: ComponentType };
}

/** Every page, in the order of the menu. Each is loaded when it is opened. */
export const pages: readonly Page[] = [
  {
    path: '/overview',
    menu: { label: 'Overview', icon: HomeIcon },
    component: lazy(() => import('../overview/overview-page.tsx')),
  },
  {
    path: '/conversations',
    menu: { label: 'Conversations', icon: ConversationIcon },
    component: lazy(() => import('../conversations/conversations-page.tsx')),
  },
  {
    path: '/conversations/:id/:tab?',
    component: lazy(() => import('../conversations/conversation-page.tsx')),
  },
  {
    path: '/flows',
    menu: { label: 'Flows', icon: FlowIcon },
    component: lazy(() => import('../flows/flows-page.tsx')),
  },
  {
    path: '/flows/:flowId/:tab?',
    component: lazy(() => import('../flows/flow-page.tsx')),
  },
  {
    path: '/sessions',
    menu: { label: 'Sessions', icon: SessionIcon },
    component: lazy(() => import('../sessions/sessions-page.tsx')),
  },
  {
    path: '/sessions/:sessionId',
    component: lazy(() => import('../sessions/session-page.tsx')),
  },
  {
    path: '/knowledge',
    menu: { label: 'Knowledge', icon: KnowledgeIcon },
    component: lazy(() => import('../knowledge/knowledge-page.tsx')),
  },
  {
    path: '/knowledge/:kbId',
    component: lazy(() => import('../knowledge/knowledge-base-page.tsx')),
  },
  {
    path: '/numbers',
    menu: { label: 'Numbers', icon: PhoneIcon },
    component: lazy(() => import('../numbers/numbers-page.tsx')),
  },
  {
    path: '/web-agents',
    menu: { label: 'Web agents', icon: WebsiteIcon },
    component: lazy(() => import('../web-agents/web-agents-page.tsx')),
  },
  {
    path: '/usage',
    menu: { label: 'Usage', icon: ChartIcon },
    component: lazy(() => import('../usage/usage-page.tsx')),
  },
  {
    path: '/history',
    menu: { label: 'History', icon: HistoryIcon },
    component: lazy(() => import('../history/history-page.tsx')),
  },
  {
    path: '/keys',
    menu: { label: 'Keys', icon: KeyIcon },
    component: lazy(() => import('../keys/keys-page.tsx')),
  },
  {
    path: '/trash',
    menu: { label: 'Trash', icon: TrashIcon },
    component: lazy(() => import('../trash/trash-page.tsx')),
  },
];
