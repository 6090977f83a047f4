/** A piece of an encrypted file, and the bytes of the whole file. */
export interface SealedPiece {
  readonly size: number;
  readonly piece: Buffer;
}

/** A piece as Postgres sends it. By default, it would send twice as many characters as bytes. */
export interface EncodedPiece {
  readonly size: number;
  readonly base64: string;
}

/** Bytes of a piece, so that no piece of work is long. */
const pieceBytes = 786_432;

/** The columns of a query that reads a piece of a bytea column from `:from`, which counts from 1. */
export function encodedPiece(column: string): string {
  return `octet_length(${column}) as size,
    encode(substring(${column} from cast(:from as integer) for ${pieceBytes}), 'base64') as base64`;
}

/** Yields a file piece by piece, until there is no more. */
export async function* sealedPieces(
  read: (from: number) => Promise<EncodedPiece | undefined>,
): AsyncGenerator<SealedPiece> {
  for (let from = 1; ; from += pieceBytes) {
    const { size, base64 } = (await read(from)) ?? { size: 0, base64: '' };
    if (base64 === '') return;
    yield { size, piece: Buffer.from(base64, 'base64') };
  }
}
