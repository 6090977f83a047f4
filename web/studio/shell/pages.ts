import { type ComponentType, lazy } from 'react';
import { ConversationIcon, FlowIcon } from '../components/icons.tsx';

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
];
