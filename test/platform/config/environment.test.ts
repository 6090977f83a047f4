import { describe, expect, test } from 'vitest';
import { isAddressKnown, readConfig } from '../../../src/platform/config/config.ts';
import { variables } from '../../../src/platform/config/variables.ts';

const refusalOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    return String(error);
  }
  return 'accepted';
};

describe('NODE_ENV', () => {
  test.each(['prod', 'Production', 'production ', 'staging', 'dev', 'true'])(
    'refuses %j by name',
    (value) => {
      expect(refusalOf({ NODE_ENV: value })).toBe(
        'ConfigError: NODE_ENV is not valid: it takes production, development or test.',
      );
    },
  );

  test.each(['development', 'test', ''])('takes %j, which is not production', (value) => {
    expect(readConfig({ NODE_ENV: value }).production).toBe(false);
  });
});

describe('a name that is almost right is refused, with the right one', () => {
  const ours = Object.keys(variables).filter((name) => name.startsWith('PARLEY_'));

  test.each(ours)('%s', (name) => {
    const mistyped = [name.toLowerCase(), `${name}S`, name.replace('PARLEY', 'PARLY'), name.replace('_', '')];
    for (const one of mistyped)
      expect(refusalOf({ [one]: 'x' })).toBe(
        `ConfigError: There is no variable ${one}. Did you mean ${name}?`,
      );
  });

  test('names all variables if none is alike', () => {
    expect(refusalOf({ PARLEY_SOMETHING_ELSE_ALTOGETHER: 'x' })).toContain('Parley reads PARLEY_OPS_PORT,');
  });

  test.each(['PARSER_URL', 'HOSTNAME', 'DATABASE_URI', 'OPENAI_ORG_ID'])(
    'leaves %s to other programs',
    (name) => {
      expect(refusalOf({ [name]: 'x' })).toBe('accepted');
    },
  );
});

describe('a value that is almost right is refused', () => {
  const almost: Readonly<Record<string, readonly string[]>> = {
    number: ['5s', '5 ', ' 5', '1e1', '0x5', '-1', '5.0', '5,0', '+5', '٥', 'true', 'off'],
    rate: ['60', '60/60s', '60/1m', '60 / 60', '60/60 ', 'OFF', 'none', '0/60', '60/0', '60/100000', 'false'],
    url: ['example.com', 'localhost:8080', 'htp://example.com', '//example.com', 'https://a@example.com'],
  };
  const kinds: [name: string, kind: string][] = Object.entries(variables).flatMap(([name, { takes }]) => {
    if (/^an integer|^a port/.test(takes)) return [[name, 'number']];
    if (takes.includes('REQUESTS/SECONDS')) return [[name, 'rate']];
    return /URL/.test(takes) ? [[name, 'url']] : [];
  });

  test.each(kinds)('%s, a %s', (name, kind) => {
    for (const value of almost[kind] ?? [])
      expect([value, refusalOf({ [name]: value })]).toEqual([
        value,
        expect.stringMatching(new RegExp(`^ConfigError: ${name} is not valid: it takes `)),
      ]);
  });
});

test.each([
  ['by default', {}, true],
  ['on IPv6 loopback', { HOST: '::1' }, true],
  ['on every interface', { HOST: '0.0.0.0' }, false],
  [
    'on every interface, with a public URL',
    { HOST: '0.0.0.0', PARLEY_PUBLIC_URL: 'https://parley.example' },
    true,
  ],
])('knows how people reach the server %s: %o → %s', (_, environment, isKnown) => {
  expect(isAddressKnown(readConfig(environment))).toBe(isKnown);
});
