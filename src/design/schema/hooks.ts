import * as v from 'valibot';
import { calendarUse } from './calendar.ts';
import { CalendarDate } from './calendar-date.ts';
import { chosenBy, Id, idMap, Text } from './values.ts';
import { VariableReference, variable } from './variable-reference.ts';

const optional = v.exactOptional;

/** Where the call goes next. At most one member; an empty target ends the chain (`decisions#design-rules`). */
export const Target = v.strictObject({
  hookNode: optional(v.pipe(Id, v.description('A node of the same hook.'))),
  step: optional(v.pipe(Id, v.description('A step.'))),
  end: optional(v.pipe(v.boolean(), v.description('True ends the chain. False means the same as absent.'))),
});

const source = {
  source: v.pipe(
    v.picklist(['variable', 'custom', 'ai']),
    v.description(
      'variable: systemVariable or variableId; custom: value; ai: aiPrompt, answered from the call.',
    ),
  ),
  ...variable,
  value: optional(Text),
  aiPrompt: optional(Text),
};

export const ValueItem = v.strictObject({ id: Id, key: Text, ...source });

export const Webhook = v.strictObject({
  url: Text,
  headers: optional(idMap(Text)),
  secretHint: optional(
    v.pipe(Text, v.description('The secret that signs it; default WEBHOOK_SIGNING_SECRET.')),
  ),
  signatureHeader: optional(v.pipe(Text, v.description('The header that carries the signature.'))),
  payload: v.array(ValueItem),
  timeoutSeconds: optional(v.pipe(v.number(), v.integer())),
  responseVariableId: optional(Id),
  responsePath: optional(Text),
});

export const Fetch = v.strictObject({
  url: Text,
  method: v.picklist(['GET', 'POST']),
  query: optional(idMap(Text)),
  headers: optional(idMap(Text)),
  body: optional(v.array(ValueItem)),
  responseFormat: optional(v.picklist(['json', 'text'])),
  responseMappings: v.array(
    v.strictObject({
      id: Id,
      variableId: Id,
      path: optional(Text),
      transform: optional(v.picklist(['auto', 'text', 'number', 'boolean', 'json'])),
      defaultValue: optional(Text),
    }),
  ),
});

const branch = { id: Id, label: Text };

/** A branch that is taken if a variable has a value. */
const VariableBranch = v.strictObject({
  ...branch,
  predicate: v.strictObject({
    variable: VariableReference,
    operator: v.picklist(['eq', 'neq', 'exists', 'not_exists', 'gt', 'lt', 'contains']),
    value: optional(Text),
  }),
  next: Target,
});

/** A branch that is taken if the call began at a time (`decisions#calendar-dates`). */
const CalendarBranch = v.strictObject({ ...branch, calendarDate: CalendarDate, next: Target });

export const Condition = v.strictObject({
  mode: v.literal('logic'),
  branches: v.array(chosenBy('calendarDate', CalendarBranch, VariableBranch)),
  else: Target,
});

export const SetVariable = v.strictObject({ variableId: Id, value: Text });

export const SendSms = v.strictObject({
  to: v.strictObject({ ...variable, literalString: optional(Text) }),
  message: Text,
});

export const CrmLookup = v.strictObject({
  integrationRef: v.pipe(Id, v.description('The id of an entry of integrations.')),
  matchBy: v.array(v.picklist(['phone', 'email'])),
  phoneSource: optional(VariableReference),
  emailSource: optional(VariableReference),
  fieldMappings: v.array(
    v.strictObject({ id: Id, field: Text, variableId: Id, defaultValue: optional(Text) }),
  ),
  includePrimaryDeal: optional(v.boolean()),
  onNotFound: optional(Target),
});

export const CrmWrite = v.strictObject({
  integrationRef: v.pipe(Id, v.description('The id of an entry of integrations.')),
  contactIdSource: VariableReference,
  createContactIfMissing: optional(v.boolean()),
  operations: v.array(v.picklist(['log_call', 'create_note', 'update_contact'])),
  logCall: optional(
    v.strictObject({
      subjectTemplate: optional(Text),
      includeTranscript: v.boolean(),
      includeSummary: v.boolean(),
      includeRecordingUrl: v.boolean(),
    }),
  ),
  createNote: optional(v.strictObject({ bodyTemplate: Text })),
  updateContact: optional(
    v.strictObject({
      propertyMappings: v.array(
        v.strictObject({ id: Id, property: Text, propertyLabel: optional(Text), ...source }),
      ),
    }),
  ),
});

/** Finds free times in a calendar, or makes, moves or cancels an appointment (`decisions#calendars`). */
export const CalendarBlock = v.strictObject({
  ...calendarUse,
  onTaken: optional(
    v.pipe(
      Target,
      v.description('book and move: the time is not free. Others are offered if there are any.'),
    ),
  ),
  onNone: optional(
    v.pipe(Target, v.description('Nothing is free, there is no such appointment, or the calendar fails.')),
  ),
});

/** The action blocks of a hook node, by member name (`service-api#conversation-design`, `decisions#calendars`). */
export const actionBlocks = {
  webhook: Webhook,
  fetch: Fetch,
  condition: Condition,
  setVariable: SetVariable,
  sendSms: SendSms,
  crmLookup: CrmLookup,
  crmWrite: CrmWrite,
  calendar: CalendarBlock,
} as const;

export type ActionBlock = keyof typeof actionBlocks;

/** A node of a hook: its actions, and where the call goes next. */
export const HookNode = v.strictObject({
  id: v.pipe(Id, v.description('The same as its key in nodes.')),
  name: optional(Text),
  next: optional(Target),
  webhook: optional(Webhook),
  fetch: optional(Fetch),
  condition: optional(Condition),
  setVariable: optional(SetVariable),
  sendSms: optional(SendSms),
  crmLookup: optional(CrmLookup),
  crmWrite: optional(CrmWrite),
  calendar: optional(CalendarBlock),
});

const entryPoints = (what: string) => optional(v.pipe(idMap(Id), v.description(what)));

/** What callers may ask for at any step. Any other id needs a description. */
export const knownCommands = ['person', 'stop', 'repeat', 'human', 'swearing', 'emergency'] as const;
export type KnownCommand = (typeof knownCommands)[number];

/** What happens if a caller asks for something at any step. */
export const Command = v.strictObject({
  description: optional(v.pipe(Text, v.description('What the caller says or means.'))),
  line: optional(v.pipe(Text, v.description('Said at once.'))),
  next: optional(
    v.pipe(
      v.strictObject({ step: optional(Id), end: optional(v.boolean()) }),
      v.description('Where the call goes then. Without it, the step that was interrupted goes on.'),
    ),
  ),
});

/** What happens before the first step, at any step, and after the call. No step leads to a node. */
export const Hooks = v.strictObject({
  commands: optional(
    v.pipe(
      idMap(Command),
      v.description(
        'What happens at any step if the caller asks for it: person, stop (also goodbye), repeat, human ("are you a human?"), swearing, emergency, or any other id with a description.',
      ),
    ),
  ),
  before: optional(
    v.strictObject({
      rootNodeId: optional(v.pipe(Id, v.description('The node that runs first, before entry.stepId.'))),
      entryPoints: entryPoints('Nodes that run first in place of it, by channel, such as phone.'),
      nodes: idMap(HookNode),
    }),
  ),
  after: optional(
    v.strictObject({
      entryPoints: entryPoints(
        'The node that runs once the call is over, by the id of the step at which it ends. Any other name is for all other steps.',
      ),
      prematureHangupNodeId: optional(v.pipe(Id, v.description('Runs when the caller hangs up early.'))),
      nodes: idMap(HookNode),
    }),
  ),
});
