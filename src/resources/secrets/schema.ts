import * as v from 'valibot';
import { isBoundHost, type SecretBinding } from '../../design/secret-binding.ts';
import type { InputProblem } from '../../operation/define.ts';
import { headerNameProblem } from '../../platform/outbound/header-names.ts';

/** A name that `{{secret.NAME}}` can refer to. */
export const SecretName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/),
  v.description('Letters, digits and _.'),
);

/** A secret without its value, which no operation returns (decisions#secrets). */
export const Secret = v.strictObject({
  name: v.string(),
  hosts: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('null: not bound yet, so for live versions only.'),
  ),
  headers: v.array(v.string()),
  inUrl: v.boolean(),
  createdAt: v.string(),
  updatedAt: v.string(),
});

/** Hosts that one secret may have, and headers. */
const mostBound = 20;
/** Characters of a header's name. */
const longestHeader = 100;

export const SecretHosts = v.pipe(
  v.array(v.string()),
  v.maxLength(mostBound),
  v.description('That may get it, such as *.example.com.'),
);

export const SecretHeaders = v.pipe(
  v.array(v.string()),
  v.maxLength(mostBound),
  v.description('That may hold it; default authorization.'),
);

/** What a call says of where a secret may be sent. Headers and `inUrl` mean nothing without hosts. */
interface BindingInput {
  readonly hosts?: readonly string[] | undefined;
  readonly headers?: readonly string[] | undefined;
  readonly inUrl?: boolean | undefined;
}

/** What is wrong with the hosts and headers of an input. */
export function bindingProblems({ hosts, headers, inUrl }: BindingInput): InputProblem[] {
  const wrong = (
    member: string,
    texts: readonly string[] | undefined,
    isRight: (text: string) => boolean,
    message: string,
  ) =>
    (texts ?? []).flatMap((text, index): InputProblem[] =>
      isRight(text) ? [] : [{ path: [member, index], message }],
    );
  const isLost = hosts === undefined && (headers !== undefined || inUrl !== undefined);
  return [
    ...(isLost
      ? [{ path: ['hosts'], message: 'Is missing: headers and inUrl hold for these hosts.' } as const]
      : []),
    ...wrong('hosts', hosts, isBoundHost, 'Is no host such as api.example.com or *.example.com.'),
    ...wrong('headers', headers, isHeader, 'Is no name of a header that a request can set.'),
  ];
}

function isHeader(name: string): boolean {
  return name.length <= longestHeader && headerNameProblem(name, 'fetch') === undefined;
}

/** The binding that an input asks for; undefined if it leaves the present one. */
export function bindingOf({
  hosts,
  headers = ['authorization'],
  inUrl = false,
}: BindingInput): SecretBinding | undefined {
  const lowerCase = (names: readonly string[]) => [...new Set(names.map((name) => name.toLowerCase()))];
  return hosts && { hosts: lowerCase(hosts), headers: lowerCase(headers), inUrl };
}
