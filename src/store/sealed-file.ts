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

/**
 * Bytes of a piece. As base64, it fits into the 64 KiB that Node.js reads from a connection at a time. The driver would
 * copy a longer row into buffers of twice the size again and again: 124 MiB for a file of 24 MiB, instead of 20. Their
 * memory would stay with the process.
 */
const pieceBytes = 46_080;
/** Pieces of a query. One round trip for each piece would take twice the time. */
const piecesPerQuery = 16;

/** A query that reads pieces of the bytea column of one row, from the byte `:from`, which counts from 1. */
export function piecesQuery(table: string, column: string, where: string): string {
  const last = `least(cast(:from as integer) + ${(piecesPerQuery - 1) * pieceBytes}, octet_length(${column}))`;
  return `
    select octet_length(${column}) as size,
      encode(substring(${column} from place for ${pieceBytes}), 'base64') as base64
    from ${table}, generate_series(cast(:from as integer), ${last}, ${pieceBytes}) as place
    where ${where} order by place`;
}

/** Yields a file piece by piece, until there is no more. */
export async function* sealedPieces(
  read: (from: number) => Promise<readonly EncodedPiece[]>,
): AsyncGenerator<SealedPiece> {
  for (let from = 1; ; from += piecesPerQuery * pieceBytes) {
    const pieces = await read(from);
    for (const { size, base64 } of pieces) yield { size, piece: Buffer.from(base64, 'base64') };
    if (pieces.length < piecesPerQuery) return;
  }
}
