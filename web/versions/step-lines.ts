import type { Design } from '../api/operations.ts';

export type Step = Design['steps'][string];

/** A text of a step that callers hear, or that tells the agent what to do. */
export interface Line {
  readonly label: string;
  readonly text: string;
  /** Where it is in the design (RFC 6901). */
  readonly pointer: string;
}

/** The texts of a step, in the order in which a call meets them. */
export function linesOf(id: string, step: Step): readonly Line[] {
  const lines: Line[] = [];
  const add = (label: string, text: string | undefined, ...path: readonly (string | number)[]) => {
    if (text !== undefined) lines.push({ label, text, pointer: pointerTo('steps', id, ...path) });
  };
  switch (step.kind) {
    case 'greeting':
      add('Says', step.introLine, 'introLine');
      add('Who it is', step.persona?.whoAmI, 'persona', 'whoAmI');
      add('What it is for', step.persona?.purpose, 'persona', 'purpose');
      break;
    case 'recordingConsent':
      add('Asks', step.line, 'line');
      break;
    case 'message':
      add(step.mode === 'generated' ? 'Says, in its own words' : 'Says', step.text, 'text');
      break;
    case 'collect':
      add('Asks', step.prompt, 'prompt');
      for (const [index, item] of step.collect.entries())
        add(`Listens for ${item.variableId}`, item.description, 'collect', index, 'description');
      break;
    case 'route':
      add('Asks', step.prompt, 'prompt');
      for (const [index, option] of step.options.entries())
        add(`Option ${option.title ?? option.id}`, option.description, 'options', index, 'description');
      break;
    case 'answer':
      add('Answers by', step.instruction, 'instruction');
      break;
    case 'appointment':
    case 'transfer':
      add('Says', step.line, 'line');
      break;
    case 'end':
      add('Says', step.line, 'line');
      break;
  }
  return lines;
}

/** Where a call can go from a step: the name of each exit, and the step there. */
export function exitsOf(step: Step): readonly { readonly exit: string; readonly to: string }[] {
  const options = step.kind === 'route' ? step.options : [];
  const exits = 'on' in step && step.on ? Object.entries(step.on as Record<string, string | undefined>) : [];
  return [
    ...options.map(({ id, title, target }) => ({ exit: title ?? id, to: target })),
    ...exits.map(([exit, to]) => ({ exit: exitWord(exit), to })),
  ].flatMap(({ exit, to }) => (to === undefined ? [] : [{ exit, to }]));
}

const kinds: Readonly<Record<Step['kind'], string>> = {
  greeting: 'Greeting',
  recordingConsent: 'Consent to recording',
  message: 'Message',
  collect: 'Question',
  route: 'Choice',
  answer: 'Free answers',
  appointment: 'Appointment',
  transfer: 'Transfer',
  end: 'End',
};

/** What people call a step: its name, or else its id. */
export function stepName(design: Design, id: string): string {
  return design.steps[id]?.name ?? id;
}

/** What people call an option of a step: its title, or else its id. */
export function optionName(step: Step, id: string): string {
  return (step.kind === 'route' && step.options.find((option) => option.id === id)?.title) || id;
}

const exitWords: Readonly<Record<string, string>> = {
  fallback: 'no option fits',
  next: 'then',
  taken: 'the time is taken',
  none: 'nothing is free',
  noAnswer: 'no answer',
};

/** What people call an exit that several kinds of steps have. */
export function exitWord(exit: string): string {
  return exitWords[exit] ?? exit;
}

/** What a kind of step is called. */
export function kindName(kind: Step['kind']): string {
  return kinds[kind];
}

function pointerTo(...path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
