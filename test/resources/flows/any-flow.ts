import fc from 'fast-check';

const greetings = [
  'Hello, I am the AI assistant of Sunny Dental.',
  'Hello, this is Sunny Dental. How can I help you?',
  'Guten Tag, Zahnarztpraxis Sommer.',
  'Bonjour, cabinet Soleil. Comment puis-je vous aider ?',
  'Hej, det är Solens tandvård.',
  'We are open from 8 to 17.',
];

const prompts = [
  'May I have your name?',
  'Which number can we reach you on?',
  'Which day would suit you?',
  'Are you a new patient?',
  'What is it about?',
  'Wie viele Personen?',
];

const keys = ['name', 'phone', 'day', 'reason', 'isNew', 'guests', 'constructor', 'x'];

/** Words that an author writes. */
const words = fc.lorem({ mode: 'sentences', maxCount: 2 });

function optional(members: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(members, { requiredKeys: [] });
}

/** Simple flows as authors write them. */
export const reasonableFlow = optional({
  greeting: fc.constantFrom(...greetings),
  instructions: words,
  language: fc.constantFrom('en', 'de', 'fr-FR', 'sv'),
  languages: fc.constant(['en', 'de']),
  persona: optional({
    name: fc.constant('Mia'),
    role: fc.constant('receptionist'),
    tone: fc.constant('warm'),
  }),
  questions: fc.uniqueArray(
    fc.record(
      { key: fc.constantFrom(...keys), prompt: fc.constantFrom(...prompts), required: fc.boolean() },
      { requiredKeys: ['key', 'prompt'] },
    ),
    { maxLength: 5, selector: ({ key }) => key },
  ),
  faq: fc.array(fc.record({ question: fc.constantFrom('When are you open?', 'Where?'), answer: words }), {
    maxLength: 4,
  }),
  handoff: fc.record(
    { number: fc.constantFrom('+12025550143', '020 7946 0018', 'sip:desk@pbx.example'), when: words },
    { requiredKeys: ['number'] },
  ),
  closing: fc.constantFrom('Thank you. Goodbye.', 'Bye!'),
  skills: fc.uniqueArray(
    fc.oneof(
      fc.record({
        key: fc.constantFrom('answerQuestions', 'collectDetails', 'transferCalls'),
        enabled: fc.boolean(),
      }),
      fc.constant({ key: 'recordWithConsent', settings: { line: 'May we record this call?' } }),
      fc.constant({ key: 'callWebhooks', settings: { url: 'https://shop.example/calls' } }),
      fc.constant({ key: 'sendSms', settings: { text: 'Thank you for calling.' } }),
    ),
    { selector: ({ key }) => key },
  ),
});

const anyText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    ...greetings,
    ...prompts,
    'I am a human, not an AI.',
    '{{name}} {{secret.KEY}} {{',
    '',
    ' ',
    'a'.repeat(20_000),
    '😀'.repeat(9_000),
  ),
);

/** Simple flows with any texts that the format accepts. */
export const anySimpleFlow = optional({
  greeting: anyText,
  instructions: anyText,
  language: anyText,
  languages: fc.array(anyText, { maxLength: 3 }),
  persona: optional({ name: anyText, role: anyText, tone: anyText }),
  questions: fc.array(
    fc.record(
      { key: fc.oneof(anyText, fc.constantFrom(...keys)), prompt: anyText, required: fc.boolean() },
      { requiredKeys: ['key', 'prompt'] },
    ),
    { maxLength: 6 },
  ),
  faq: fc.array(fc.record({ question: anyText, answer: anyText }), { maxLength: 6 }),
  handoff: fc.record({ number: anyText, when: anyText }, { requiredKeys: ['number'] }),
  closing: anyText,
  skills: fc.array(
    fc.record(
      {
        key: fc.constantFrom(
          'answerQuestions',
          'collectDetails',
          'transferCalls',
          'recordWithConsent',
          'lookUpData',
          'callWebhooks',
          'sendSms',
          'juggling',
        ),
        enabled: fc.boolean(),
        settings: fc.dictionary(
          fc.constantFrom('line', 'url', 'to', 'text', 'number', 'mode', 'maxTurns', 'maxAttempts'),
          fc.oneof(anyText, fc.integer(), fc.constantFrom('https://shop.example/', 'warm', '+12025550143')),
        ),
      },
      { requiredKeys: ['key'] },
    ),
    { maxLength: 6 },
  ),
});

const ids = ['start', 'menu', 'ask', 'help', 'desk', 'end', 'goodbye', 'constructor', 'b c'];
const anyMember = fc.oneof(anyText, fc.constantFrom('+12025550143', true, 7, null, [], {}));

/** Graphs whose nodes may say what they do, each of them valid. */
export const anyGraph = fc.uniqueArray(fc.constantFrom(...ids), { maxLength: ids.length }).chain((names) =>
  fc.record(
    {
      greeting: anyText,
      entry: names.length > 0 ? fc.constantFrom(...names) : fc.constant(undefined),
      nodes: fc.tuple(
        ...names.map((id) =>
          fc
            .dictionary(
              fc.constantFrom(
                'say',
                'text',
                'prompt',
                'question',
                'number',
                'facts',
                'variable',
                'name',
                'destination',
              ),
              anyMember,
              { maxKeys: 4 },
            )
            .chain((members) =>
              fc
                .constantFrom(
                  undefined,
                  'greeting',
                  'say',
                  'collectInput',
                  'condition',
                  'llm',
                  'transfer',
                  'hang-up',
                  'http',
                )
                .map((type) => ({ id, ...members, ...(type !== undefined && { type }) })),
            ),
        ),
      ),
      edges:
        names.length === 0
          ? fc.constant([])
          : fc
              .array(
                fc.record(
                  {
                    from: fc.constantFrom(...names),
                    to: fc.constantFrom(...names),
                    label: fc.constantFrom('Sales', 'Support', 'else', 'failed', 'no answer', ''),
                  },
                  { requiredKeys: ['from', 'to'] },
                ),
                { maxLength: 14 },
              )
              .map((edges) => edges.map((edge, index) => ({ id: `e${index}`, ...edge }))),
    },
    { requiredKeys: ['nodes', 'edges'] },
  ),
);
