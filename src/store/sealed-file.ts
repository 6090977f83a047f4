/** A piece of an encrypted file, and the bytes of the whole file. */
export interface SealedPiece {
  readonly size: number;
  readonly piece: Buffer;
}

/** Bytes of a piece. Postgres sends it as text, so a whole file would be decoded from twice its bytes at once. */
const pieceBytes = 262_144;

/** The columns of a query that reads a piece of a bytea column from `:from`, which counts from 1. */
export function sealedPiece(column: string): string {
  return `octet_length(${column}) as size, substring(${column} from cast(:from as integer) for ${pieceBytes}) as piece`;
}

/** Yields a file piece by piece, until there is no more. */
export async function* sealedPieces(
  read: (from: number) => Promise<SealedPiece | undefined>,
): AsyncGenerator<SealedPiece> {
  for (let from = 1; ; from += pieceBytes) {
    const next = await read(from);
    if (!next || next.piece.length === 0) return;
    yield next;
  }
}
