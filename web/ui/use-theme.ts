import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';

/** Kept on this machine, because it is not a secret; `public/theme.js` reads it before the first paint. */
const storedAs = 'parley.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const changed = new EventTarget();

function subscribe(notify: () => void): () => void {
  changed.addEventListener('change', notify);
  dark.addEventListener('change', notify);
  return () => {
    changed.removeEventListener('change', notify);
    dark.removeEventListener('change', notify);
  };
}

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return dark.matches ? 'dark' : 'light';
}

/** The theme that the user has chosen, or else that of the system. */
export function useTheme(): { readonly theme: Theme; readonly next: string; readonly change: () => void } {
  const theme = useSyncExternalStore(subscribe, current);
  const other = theme === 'dark' ? 'light' : 'dark';
  return {
    theme,
    next: theme === 'dark' ? 'Light theme' : 'Dark theme',
    change: () => {
      localStorage.setItem(storedAs, other);
      document.documentElement.dataset.theme = other;
      changed.dispatchEvent(new Event('change'));
    },
  };
}
