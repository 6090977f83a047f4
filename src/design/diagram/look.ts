import type { Mark, Shape } from './diagram.ts';

export interface Look {
  /** Its name in the legend. Step kinds need none, because each shape shows its kind. */
  readonly legend?: string;
  readonly fill: string;
  readonly line: string;
  readonly text: string;
  readonly isDashed?: true;
}

const ink = '#1f2933';
const grey = '#69737f';

export const looks = {
  point: { fill: '#3b4754', line: '#3b4754', text: '#ffffff' },
  talk: { fill: '#e7f0fd', line: '#4c7fd0', text: ink },
  ask: { fill: '#f1e8fc', line: '#8a63cf', text: ink },
  choose: { fill: '#fdf3d3', line: '#b8921c', text: ink },
  answer: { fill: '#e2f5e9', line: '#3a9365', text: ink },
  transfer: { fill: '#fde8da', line: '#cc6d33', text: ink },
  finish: { fill: '#e9ecf0', line: '#66717d', text: ink },
  hook: { legend: 'hook', fill: '#e0f4f5', line: '#2f8f9a', text: ink },
  unreachable: { legend: 'unreachable', fill: '#ffffff', line: '#8b949e', text: grey, isDashed: true },
  same: { legend: 'unchanged', fill: '#ffffff', line: '#b3bbc4', text: ink },
  added: { legend: 'added', fill: '#d5f5dd', line: '#1a7f37', text: ink },
  changed: { legend: 'changed', fill: '#ffeeb8', line: '#a86a00', text: ink },
  passed: { legend: 'passed', fill: '#d5f5dd', line: '#1a7f37', text: ink },
  missed: { legend: 'never reached', fill: '#f7f8f9', line: '#7d8691', text: grey, isDashed: true },
  ended: { legend: 'end of the call so far', fill: '#cfe3fb', line: '#1f5fb0', text: ink },
  failed: { legend: 'an expectation failed', fill: '#ffe1e0', line: '#c62828', text: ink },
  removed: { legend: 'removed', fill: '#ffe1e0', line: '#c62828', text: ink, isDashed: true },
} as const satisfies Record<string, Look>;

export type LookName = keyof typeof looks;

export const entryLine = '#101820';
export const arrowLine = '#7a8490';
export const labelText = '#3b4754';

export function arrowLook(mark: Mark | undefined): string {
  return mark === undefined ? arrowLine : looks[mark].line;
}

const kinds: Readonly<Record<Shape['kind'], LookName>> = {
  '': 'hook',
  greeting: 'talk',
  message: 'talk',
  recordingConsent: 'ask',
  collect: 'ask',
  route: 'choose',
  answer: 'answer',
  appointment: 'answer',
  transfer: 'transfer',
  end: 'finish',
};

/** The look of a shape: by its mark, or by its kind if it has none and nothing is compared. */
export function lookOf({ at, kind, mark, isReachable }: Shape, isComparison: boolean): LookName {
  if (mark !== undefined) return mark;
  if (at === 'call') return 'point';
  if (!isReachable) return 'unreachable';
  return isComparison ? 'same' : kinds[kind];
}
