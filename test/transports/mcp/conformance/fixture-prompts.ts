import { png } from './fixture-tools.ts';

const says = (text: string) => ({ role: 'user', content: { type: 'text', text } });

/** The prompts that the conformance suite asks for: their arguments and, for the values of these, their messages. */
const prompts: Readonly<
  Record<
    string,
    { names: readonly string[]; messages: (given: Readonly<Record<string, string>>) => object[] }
  >
> = {
  test_simple_prompt: { names: [], messages: () => [says('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    names: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    names: ['resourceUri'],
    messages: ({ resourceUri: uri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      says('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    names: [],
    messages: () => [
      { role: 'user', content: { type: 'image', data: png.toString('base64'), mimeType: 'image/png' } },
      says('Please analyze the image above.'),
    ],
  },
};

/** What `prompts/list` returns. `more` are the names of prompts without arguments. */
export const listedPrompts = (more: readonly string[]) => ({
  prompts: [
    ...Object.entries(prompts).map(([name, { names }]) => ({
      name,
      description: `The prompt ${name}.`,
      arguments: names.map((argument) => ({
        name: argument,
        description: `The argument ${argument}.`,
        required: true,
      })),
    })),
    ...more.map((name) => ({ name, description: `The prompt ${name}.` })),
  ],
});

/** What `prompts/get` returns; undefined for an unknown name. */
export function promptNamed(name: string, given: unknown): { messages: object[] } | undefined {
  const messages = prompts[name]?.messages((given ?? {}) as Record<string, string>);
  return messages && { messages };
}
