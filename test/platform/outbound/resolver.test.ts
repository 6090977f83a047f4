import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { unreachable } from '../../../src/platform/outbound/fetch-failure.ts';
import { openResolver } from '../../../src/platform/outbound/resolver.ts';
import { failureOf } from '../../helpers/wall-trial.ts';

/** The answer of a name server for one family: addresses as bytes, an error code, or no answer. */
type Reply = readonly Buffer[] | number | undefined;
const nameUnknown = 3;
const refused = 5;

/** A name server on loopback (RFC 1035). */
async function openNameServer(v4: Reply, v6: Reply) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = question.readUInt16BE(question.length - 4);
    const reply = type === 1 ? v4 : v6;
    if (reply === undefined) return;
    const records = typeof reply === 'number' ? [] : reply;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 + (typeof reply === 'number' ? reply : 0), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    const answers = records.map((record) => {
      const fields = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, record.length]);
      return Buffer.concat([fields, record]);
    });
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return openResolver(2_000, [`127.0.0.1:${socket.address().port}`]);
}

const v4 = (text: string) => Buffer.from(text.split('.').map(Number));
const loopback6 = Buffer.from([...Array<number>(15).fill(0), 1]);

test('returns every address of both families', async () => {
  const resolve = await openNameServer([v4('93.184.215.14'), v4('127.0.0.1')], [loopback6]);
  expect(await resolve('mixed.example')).toEqual(['93.184.215.14', '127.0.0.1', '::1']);
});

test.for<[what: string, v4: Reply, v6: Reply, addresses: readonly string[]]>([
  ['has no IPv6 address', [v4('1.2.3.4')], [], ['1.2.3.4']],
  ['has no IPv4 address', [], [loopback6], ['::1']],
  ['is silent on IPv6', [v4('1.2.3.4')], undefined, ['1.2.3.4']],
])(
  'returns the addresses of the other family if the name server %s',
  async ([, first, second, addresses]) => {
    expect(await (await openNameServer(first, second))('half.example')).toEqual(addresses);
  },
);

test.for<[what: string, final: boolean, reply: Reply]>([
  ['knows no such name', true, nameUnknown],
  ['knows no address', true, []],
  ['refuses', false, refused],
  ['is silent', false, undefined],
])('fails if the name server %s, finally: %s', async ([, final, reply]) => {
  const resolve = await openNameServer(reply, reply);
  expect(await failureOf(resolve('none.example'))).toEqual({ message: unreachable, final });
});

test('does not fail finally if only one family is known to have no address', async () => {
  const resolve = await openNameServer([], refused);
  expect(await failureOf(resolve('half.example'))).toMatchObject({ final: false });
});

test('ignores the hosts file of the machine', async () => {
  const resolve = await openNameServer([v4('1.2.3.4')], []);
  expect(await resolve('localhost')).not.toContain('127.0.0.1');
});
