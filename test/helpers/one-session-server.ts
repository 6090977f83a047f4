import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';

const sslRequest = 80_877_103;
/** AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
/** Message types that need a response: Query, and Sync at the end of an extended query. */
const asking = ['Q', 'S'];

interface Connection {
  readonly number: number;
  readonly isReader: boolean;
}

interface Waiting {
  readonly connection: Connection;
  readonly messages: readonly Buffer[];
  readonly answer: (bytes: Buffer) => void;
}

/**
 * Lets many Postgres clients share the only session of a PGlite, request by request. During a transaction of one client
 * the others wait. Readers that begin no transaction do not wait, because Parley reads a key's status while a
 * transaction is open.
 */
export async function serveOneSession(db: PGlite) {
  let waiting: Waiting[] = [];
  let owner: number | undefined;
  let running = false;
  let connections = 0;
  const mayRun = ({ connection, messages }: Waiting) =>
    owner === undefined || owner === connection.number || (connection.isReader && !begins(messages));

  const run = async () => {
    if (running) return;
    running = true;
    for (;;) {
      const next = waiting.find(mayRun);
      if (!next) break;
      waiting = waiting.filter((one) => one !== next);
      const pieces: Uint8Array[] = [];
      for (const message of next.messages) pieces.push(await db.execProtocolRaw(message));
      const bytes = Buffer.concat(pieces);
      const { number } = next.connection;
      const isIn = bytes.at(-1) !== 'I'.charCodeAt(0);
      if (owner === undefined || owner === number) owner = isIn ? number : undefined;
      else bytes.write('I', bytes.length - 1);
      next.answer(bytes);
    }
    running = false;
  };

  const leave = async ({ number }: Connection) => {
    waiting = waiting.filter(({ connection }) => connection.number !== number);
    if (owner !== number) return;
    await db.exec('rollback');
    owner = undefined;
    await run();
  };

  const serve = (socket: Socket) => {
    let connection: Connection | undefined;
    let input = Buffer.alloc(0);
    let messages: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.once('close', () => connection && void leave(connection));
    socket.on('data', (data) => {
      input = Buffer.concat([input, data]);
      for (;;) {
        const message = firstOf(input, connection ? 1 : 0);
        if (!message) return;
        input = input.subarray(message.length);
        if (connection) take(connection, message);
        else if (message.readInt32BE(4) === sslRequest) socket.write('N');
        else {
          connection = { number: connections++, isReader: message.includes('parley-read') };
          socket.write(welcome);
        }
      }
    });
    const take = (from: Connection, message: Buffer) => {
      const type = message.toString('latin1', 0, 1);
      if (type === 'X') socket.end();
      messages.push(withoutLockTransaction(named(message, type, from.number)));
      if (!asking.includes(type)) return;
      const answer = (bytes: Buffer) => void (socket.writable && socket.write(bytes));
      waiting.push({ connection: from, messages, answer });
      messages = [];
      void run();
    };
  };

  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, close: () => void server.close() };
}

const lockTransaction = 'begin; set local idle_in_transaction_session_timeout = 0';

/** Leaves out the transaction that holds the lock of migrations, because all others would wait for its end. */
function withoutLockTransaction(message: Buffer): Buffer {
  return message.includes(lockTransaction) ? simpleQuery('select 1') : message;
}

function simpleQuery(sql: string): Buffer {
  const body = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5, 'Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Returns the first complete message in `input`. Its length field starts at byte `lengthAt`, after the type if any. */
function firstOf(input: Buffer, lengthAt: number): Buffer | undefined {
  if (input.length < lengthAt + 4) return undefined;
  const end = lengthAt + input.readInt32BE(lengthAt);
  return input.length < end ? undefined : input.subarray(0, end);
}

function begins(messages: readonly Buffer[]): boolean {
  return messages.some((message) =>
    /^[PQ].{4}\0?(?:begin|start transaction)/is.test(message.toString('latin1')),
  );
}

/** Prefixes the name of a prepared statement with the connection's number, to keep it unique in the session. */
function named(message: Buffer, type: string, connection: number): Buffer {
  const start = type === 'P' ? 5 : type === 'B' ? message.indexOf(0, 5) + 1 : 6;
  const isNamed = type === 'P' || type === 'B' || ('DC'.includes(type) && message[5] === 'S'.charCodeAt(0));
  if (!isNamed || message[start] === 0) return message;
  const prefix = Buffer.from(`${connection} `);
  const longer = Buffer.concat([message.subarray(0, start), prefix, message.subarray(start)]);
  longer.writeInt32BE(longer.length - 1, 1);
  return longer;
}
