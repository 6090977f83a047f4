/** The most bytes of a design that a request can carry (`decisions#body-limits`), less its envelope. */
const limit = 262_144 - 100;

/** Makes the n-th item of a crowd as JSON text. */
type Item = (n: number) => string;

const frame = (members: string) => `{"schemaVersion":"cd/1","entry":{"stepId":"a"},${members}}`;
const start = '"a":{"kind":"end"}';
const steps = (open: string, close = '') => [`"steps":{${start},${open}`, `${close}}`] as const;
const nodes = (open: string, close = '') =>
  [`"steps":{${start}},"hooks":{"before":{"nodes":{${open}`, `${close}}}}`] as const;

/** Designs that hold as many small parts as the limit allows, most of them wrong: a check that is not linear shows. */
const crowds: Readonly<Record<string, readonly [around: readonly [string, string], item: Item]>> = {
  'steps that nothing leads to': [steps(''), (n) => `"s${n}":{"kind":"end"}`],
  'steps in one chain': [steps(''), (n) => `"s${n}":{"kind":"message","text":"","on":{"next":"s${n + 1}"}}`],
  'exits to nowhere': [steps(''), (n) => `"s${n}":{"kind":"message","text":"","on":{"next":"n${n}"}}`],
  'steps of an unknown kind': [steps(''), (n) => `"s${n}":{"kind":"x"}`],
  'steps that are not objects': [steps(''), (n) => `"s${n}":0`],
  'members of a step that is closed': [steps('"b":{"kind":"end",', '}'), (n) => `"m${n}":0`],
  'options with nothing': [steps('"b":{"kind":"route","options":[', ']}'), () => `{"id":"o"}`],
  'options to nowhere': [steps('"b":{"kind":"route","options":[', ']}'), (n) => `{"id":"${n}","target":"n"}`],
  'options of the wrong type': [steps('"b":{"kind":"route","options":[', ']}'), () => '0'],
  'unknown variables': [
    steps('"b":{"kind":"collect","prompt":"","on":{"next":"a"},"collect":[', ']}'),
    (n) => `{"id":"${n}","variableId":"v"}`,
  ],
  'unknown knowledge': [
    steps('"b":{"kind":"answer","instruction":"","on":{"next":"a"},"knowledgeIds":[', ']}'),
    (n) => `"k${n}"`,
  ],
  'greetings that disclose nothing': [
    steps(''),
    (n) => `"s${n}":{"kind":"greeting","introLine":"I am Anna","on":{"next":"a"}}`,
  ],
  'layout of steps that are not there': [
    [`"steps":{${start}},"layout":{`, '}'],
    (n) => `"s${n}":{"x":0,"y":0}`,
  ],
  'variables of one id': [[`"steps":{${start}},"variables":[`, ']'], () => '{"id":"v","type":"text"}'],
  'unknown integrations': [
    [`"steps":{${start}},"integrations":[`, ']'],
    (n) => `{"id":"${n}","kind":"crm","integrationId":"i${n}"}`,
  ],
  'hook nodes in one circle': [
    nodes(''),
    (n) => `"h${n}":{"id":"h${n}","next":{"hookNode":"h${(n + 1) % 1000}"}}`,
  ],
  'hook nodes to nowhere': [nodes(''), (n) => `"h${n}":{"id":"x","next":{"hookNode":"n${n}"}}`],
  'branches of one node': [
    nodes('"h":{"id":"h","condition":{"mode":"logic","else":{},"branches":[', ']}}'),
    (n) => `{"id":"","label":"","predicate":{"variable":{},"operator":"eq"},"next":{"step":"${n}"}}`,
  ],
  'unknown members at the top': [[`"steps":{${start}},"x":0`, ''], (n) => `"m${n}":0`],
  'NUL in every name': [steps(''), (n) => `"\\u0000${n}":0`],
  'one deep list': [
    [`"steps":{${start}},"x":[`, ']'],
    (n) => `${'['.repeat((n % 90) + 1)}${']'.repeat((n % 90) + 1)}`,
  ],
};

/** Each crowd with its JSON text, as long as the limit lets it be. */
export function crowdedDesigns(): [name: string, text: string][] {
  return Object.entries(crowds).map(([name, [[open, close], item]]) => {
    const items: string[] = [];
    let left = limit - frame(open + close).length;
    for (let n = 0; ; n++) {
      const text = item(n);
      left -= text.length + 1;
      if (left < 0) break;
      items.push(text);
    }
    const comma = /[[{,]$/.test(open) ? '' : ',';
    return [name, frame(open + comma + items.join() + close)];
  });
}
