import '../ui/styles/tokens.css';
import '../ui/styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { ToastProvider } from '../ui/toasts.tsx';
import { HasPages } from '../versions/has-pages.ts';
import { DesignApp } from './design-app.tsx';
import { connectHost } from './host.ts';

/** A host may ask a person before each call, so nothing is read again without a reason. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
  },
});

/** The page has no address of its own; links between its parts go nowhere else. */
const { hook, searchHook } = memoryLocation({ path: '/' });

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Router hook={hook} searchHook={searchHook}>
          <HasPages value={false}>
            <ToastProvider>
              <DesignApp host={connectHost()} />
            </ToastProvider>
          </HasPages>
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
