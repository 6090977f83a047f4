/** What the platform knows about a call. */
export interface SystemVariable {
  readonly name: string;
  readonly type: 'text' | 'number';
  /** When it has a value. */
  readonly available: 'from the start' | 'if the caller is known' | 'in hooks.after';
  readonly example: string;
}

/** Every system variable. The checks, describe_design and the engine share this list. */
export const systemVariables = [
  { name: 'callerPhone', type: 'text', available: 'from the start', example: '+12025550143' },
  { name: 'callerEmail', type: 'text', available: 'if the caller is known', example: 'ana@example.com' },
  { name: 'calledNumber', type: 'text', available: 'from the start', example: '+12025550100' },
  { name: 'contactId', type: 'text', available: 'if the caller is known', example: '10231' },
  { name: 'channel', type: 'text', available: 'from the start', example: 'phone' },
  { name: 'callLanguage', type: 'text', available: 'from the start', example: 'en' },
  { name: 'callStartedAt', type: 'text', available: 'from the start', example: '2026-03-02T09:30:00.000Z' },
  { name: 'callDate', type: 'text', available: 'from the start', example: '2026-03-02' },
  { name: 'callTime', type: 'text', available: 'from the start', example: '09:30' },
  { name: 'callWeekday', type: 'text', available: 'from the start', example: 'monday' },
  { name: 'isOpen', type: 'text', available: 'from the start', example: 'yes' },
  { name: 'callDurationSeconds', type: 'number', available: 'in hooks.after', example: '184' },
  { name: 'callSummary', type: 'text', available: 'in hooks.after', example: 'Booked a table for two.' },
  { name: 'endedAtStep', type: 'text', available: 'in hooks.after', example: 'goodbye' },
] as const satisfies readonly SystemVariable[];

export type SystemVariableName = (typeof systemVariables)[number]['name'];

export const systemVariableNames: readonly string[] = systemVariables.map(({ name }) => name);

/** The name of a system variable without `system.`. */
export function plainName(name: string): string {
  return name.startsWith('system.') ? name.slice('system.'.length) : name;
}

/** Names that other platforms give to what a system variable holds, in lower case and without separators. */
const otherNames: Readonly<Record<string, string>> = {
  callernumber: 'callerPhone',
  callerid: 'callerPhone',
  customernumber: 'callerPhone',
  from: 'callerPhone',
  fromnumber: 'callerPhone',
  phonenumber: 'callerPhone',
  usernumber: 'callerPhone',
  to: 'calledNumber',
  tonumber: 'calledNumber',
  agentnumber: 'calledNumber',
  language: 'callLanguage',
  starttime: 'callStartedAt',
  now: 'callStartedAt',
  currentdate: 'callDate',
  date: 'callDate',
  today: 'callDate',
  currenttime: 'callTime',
  time: 'callTime',
  currentday: 'callWeekday',
  dayofweek: 'callWeekday',
  weekday: 'callWeekday',
  businesshours: 'isOpen',
  openinghours: 'isOpen',
  open: 'isOpen',
  duration: 'callDurationSeconds',
  summary: 'callSummary',
};

/** The system variable that a name of another platform stands for. */
export function systemVariableCalled(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return Object.hasOwn(otherNames, plain) ? otherNames[plain] : undefined;
}
