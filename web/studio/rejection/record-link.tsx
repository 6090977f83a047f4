import { Link } from 'wouter';

/** Where the pages of records are, by the two letters of an id that name its kind. */
const pageOf: Readonly<Record<string, string>> = {
  cv: '/conversations',
  fl: '/flows',
  kb: '/knowledge',
};

/** Undefined if records of this kind have no page. */
function pageOfRecord(id: string): string | undefined {
  const page = pageOf[id.slice(1, 3)];
  return page && `${page}/${id}`;
}

/** A record's name, which leads to its page if it has one. */
export function RecordLink({ id, name }: { id: string; name: string }) {
  const href = pageOfRecord(id);
  return href === undefined ? (
    <bdi>{name}</bdi>
  ) : (
    <Link href={href} dir="auto">
      {name}
    </Link>
  );
}
