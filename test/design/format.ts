import type { Design } from '../../src/design/schema/design.ts';
import type { Place } from './places.ts';

/**
 * The members of a `cd/1` design, written from `service-api#conversation-design` and `decisions#step-kinds`, independently
 * of the product. `!` marks a required member; `*` means any key of a map or any item of a list. A type is id (text of at
 * least one character), text, string (text of any length), number, integer, boolean, object, map, list, or the allowed
 * words.
 */
const frame = `
/schemaVersion!  cd/1
/entry!  object
/entry/stepId!  id
/entry/alternates  list
/entry/alternates/*  text
/steps!  map
/knowledge  list
/knowledge/*  object
/knowledge/*/id!  id
/knowledge/*/kind!  knowledgeBase
/knowledge/*/knowledgeBaseId!  id
/variables  list
/variables/*  object
/variables/*/id!  id
/variables/*/name  text
/variables/*/type!  text|number|object
/integrations  list
/integrations/*  object
/integrations/*/id!  id
/integrations/*/kind!  crm|calendar|knowledge
/integrations/*/integrationId!  id
/compliance  object
/compliance/aiDisclosure  map
/compliance/aiDisclosure/*  object
/compliance/aiDisclosure/*/status!  approved|rejected
/compliance/aiDisclosure/*/checkedText!  string
/compliance/aiDisclosure/*/reason  string
/layout  map
/layout/*  object
/layout/*/x!  number
/layout/*/y!  number
/hooks  object
/hooks/before  object
/hooks/before/rootNodeId  id
/hooks/after  object
/hooks/after/prematureHangupNodeId  id
/hooks/*/entryPoints  map
/hooks/*/entryPoints/*  id
/hooks/*/nodes!  map
`;

const steps = `
greeting!  object
greeting/kind!  greeting
greeting/name  text
greeting/introLine  text
greeting/persona  object
greeting/persona/whoAmI  text
greeting/persona/purpose  text
greeting/on!  object
greeting/on/next!  id
recordingConsent!  object
recordingConsent/kind!  recordingConsent
recordingConsent/name  text
recordingConsent/line!  text
recordingConsent/on!  object
recordingConsent/on/next!  id
recordingConsent/on/declined  id
message!  object
message/kind!  message
message/name  text
message/text!  text
message/mode  exact|generated
message/on!  object
message/on/next!  id
collect!  object
collect/kind!  collect
collect/name  text
collect/prompt!  text
collect/collect!  list
collect/collect/*  object
collect/collect/*/id!  id
collect/collect/*/variableId!  id
collect/collect/*/description  text
collect/collect/*/required  boolean
collect/maxAttempts  integer
collect/on!  object
collect/on/next!  id
collect/on/failed  id
route!  object
route/kind!  route
route/name  text
route/prompt  text
route/options!  list
route/options/*  object
route/options/*/id!  id
route/options/*/title  text
route/options/*/description  text
route/options/*/target  id
route/on  object
route/on/fallback  id
answer!  object
answer/kind!  answer
answer/name  text
answer/instruction!  text
answer/knowledgeIds  list
answer/knowledgeIds/*  id
answer/maxTurns  integer
answer/on!  object
answer/on/next!  id
answer/on/noAnswer  id
transfer!  object
transfer/kind!  transfer
transfer/name  text
transfer/line  text
transfer/destination!  object
transfer/destination/kind!  phoneNumber|sip|conversation
transfer/destination/value!  id
transfer/mode  cold|warm
transfer/on  object
transfer/on/failed  id
end!  object
end/kind!  end
end/name  text
end/line  text
`;

const nodes = `
/*  object
/*/id!  id
/*/name  text
/*/next  target
/*/webhook  object
/*/webhook/url!  text
/*/webhook/headers  map
/*/webhook/headers/*  text
/*/webhook/secretHint  text
/*/webhook/signatureHeader  text
/*/webhook/payload!  list
/*/webhook/payload/*  object
/*/webhook/payload/*/key!  text
/*/webhook/payload/*/  source
/*/webhook/timeoutSeconds  integer
/*/webhook/responseVariableId  id
/*/webhook/responsePath  text
/*/fetch  object
/*/fetch/url!  text
/*/fetch/method!  GET|POST
/*/fetch/query  map
/*/fetch/query/*  text
/*/fetch/headers  map
/*/fetch/headers/*  text
/*/fetch/body  list
/*/fetch/body/*  object
/*/fetch/body/*/key!  text
/*/fetch/body/*/  source
/*/fetch/responseFormat  json|text
/*/fetch/responseMappings!  list
/*/fetch/responseMappings/*  object
/*/fetch/responseMappings/*/id!  id
/*/fetch/responseMappings/*/variableId!  id
/*/fetch/responseMappings/*/path  text
/*/fetch/responseMappings/*/transform  auto|text|number|boolean|json
/*/fetch/responseMappings/*/defaultValue  text
/*/condition  object
/*/condition/mode!  logic
/*/condition/branches!  list
/*/condition/branches/*  object
/*/condition/branches/*/id!  id
/*/condition/branches/*/label!  text
/*/condition/branches/*/predicate!  object
/*/condition/branches/*/predicate/variable!  variable
/*/condition/branches/*/predicate/operator!  eq|neq|exists|not_exists|gt|lt|contains
/*/condition/branches/*/predicate/value  text
/*/condition/branches/*/calendarDate  object
/*/condition/branches/*/calendarDate/on  list
/*/condition/branches/*/calendarDate/on/*  string
/*/condition/branches/*/calendarDate/from  string
/*/condition/branches/*/calendarDate/to  string
/*/condition/branches/*/calendarDate/weekdays  list
/*/condition/branches/*/calendarDate/weekdays/*  monday|tuesday|wednesday|thursday|friday|saturday|sunday
/*/condition/branches/*/calendarDate/between  list
/*/condition/branches/*/calendarDate/between/*  string
/*/condition/branches/*/calendarDate/openingHours  open|closed
/*/condition/branches/*/next!  target
/*/condition/else!  target
/*/setVariable  object
/*/setVariable/variableId!  id
/*/setVariable/value!  text
/*/sendSms  object
/*/sendSms/to!  variable
/*/sendSms/to/literalString  text
/*/sendSms/message!  text
/*/crmLookup  object
/*/crmLookup/integrationRef!  id
/*/crmLookup/matchBy!  list
/*/crmLookup/matchBy/*  phone|email
/*/crmLookup/phoneSource  variable
/*/crmLookup/emailSource  variable
/*/crmLookup/fieldMappings!  list
/*/crmLookup/fieldMappings/*  object
/*/crmLookup/fieldMappings/*/id!  id
/*/crmLookup/fieldMappings/*/field!  text
/*/crmLookup/fieldMappings/*/variableId!  id
/*/crmLookup/fieldMappings/*/defaultValue  text
/*/crmLookup/includePrimaryDeal  boolean
/*/crmLookup/onNotFound  target
/*/crmWrite  object
/*/crmWrite/integrationRef!  id
/*/crmWrite/contactIdSource!  variable
/*/crmWrite/createContactIfMissing  boolean
/*/crmWrite/operations!  list
/*/crmWrite/operations/*  log_call|create_note|update_contact
/*/crmWrite/logCall  object
/*/crmWrite/logCall/subjectTemplate  text
/*/crmWrite/logCall/includeTranscript!  boolean
/*/crmWrite/logCall/includeSummary!  boolean
/*/crmWrite/logCall/includeRecordingUrl!  boolean
/*/crmWrite/createNote  object
/*/crmWrite/createNote/bodyTemplate!  text
/*/crmWrite/updateContact  object
/*/crmWrite/updateContact/propertyMappings!  list
/*/crmWrite/updateContact/propertyMappings/*  object
/*/crmWrite/updateContact/propertyMappings/*/property!  text
/*/crmWrite/updateContact/propertyMappings/*/propertyLabel  text
/*/crmWrite/updateContact/propertyMappings/*/  source
`;

/** Parts that several members share. */
const shared: Readonly<Record<string, string>> = {
  target: '  object\n/hookNode  id\n/step  id\n/end  boolean',
  variable: '  object\n/systemVariable  text\n/variableId  id',
  source:
    'id!  id\nsource!  variable|custom|ai\nsystemVariable  text\nvariableId  id\nvalue  text\naiPrompt  text',
};

/** One member of the format. */
export interface Member {
  readonly pattern: string;
  readonly required: boolean;
  readonly type: string;
}

function membersOf(table: string, prefix = ''): Member[] {
  return table
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [name = '', type = ''] = line.split('  ');
      const pattern = prefix + name.replace('!', '');
      const parts = shared[type];
      if (parts === undefined) return [{ pattern, required: name.endsWith('!'), type }];
      return membersOf(parts, pattern).map((part) =>
        part.pattern === pattern ? { ...part, required: name.endsWith('!') } : part,
      );
    });
}

/** Every member of the format. The pattern of a step contains its kind instead of its id. */
export const members: readonly Member[] = [
  ...membersOf(frame),
  ...membersOf(steps, '/steps/').map((member) =>
    // A map may have any number of steps.
    /^\/steps\/\w+$/.test(member.pattern) ? { ...member, required: false } : member,
  ),
  ...membersOf(nodes, '/hooks/*/nodes'),
];

const maps = new Set(['nodes', 'entryPoints', 'headers', 'query', 'aiDisclosure', 'layout']);

/** The pattern of a place in a design. */
export function patternOf({ steps }: Design, place: Place): string {
  return place
    .map((name, index) => {
      const above = place[index - 1];
      if (index === 1 && above === 'steps') return `/${steps[name]?.kind}`;
      if (typeof name === 'number' || (typeof above === 'string' && maps.has(above) && isMap(place, index)))
        return '/*';
      if (index === 1 && above === 'hooks' && (place[2] === 'nodes' || place[2] === 'entryPoints'))
        return '/*';
      return `/${name}`;
    })
    .join('');
}

/** A step or node may have the name of a map. */
function isMap([first, second, third]: Place, index: number): boolean {
  if (first === 'steps') return false;
  return (
    index !== 3 || first !== 'hooks' || second === undefined || third === 'nodes' || third === 'entryPoints'
  );
}
